//! Just enough SVG: boxes, lines and text in a fixed-width type, so that widths are known.

use std::fmt::Write;

/// Width of a character of the normal size.
pub const CHARACTER: f64 = 7.2;
/// Width of a character of the small size.
pub const SMALL: f64 = 6.0;

/// A picture under construction.
#[derive(Debug, Default)]
pub struct Picture {
    body: String,
}

impl Picture {
    fn line(&mut self, element: std::fmt::Arguments) {
        writeln!(self.body, "{element}").expect("a String takes all that is written to it");
    }

    /// A box of a class.
    pub fn rect(&mut self, class: &str, x: f64, y: f64, width: f64, height: f64, radius: f64) {
        self.line(format_args!(
            r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" rx="{radius:.1}"/>"#
        ));
    }

    /// A path of a class.
    pub fn path(&mut self, class: &str, path: &str) {
        self.line(format_args!(r#"<path class="{class}" d="{path}"/>"#));
    }

    /// Text of a class, `anchor` being start, middle or end.
    pub fn text(&mut self, class: &str, anchor: &str, x: f64, y: f64, text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        self.line(format_args!(
            r#"<text class="{class}" text-anchor="{anchor}" x="{x:.1}" y="{y:.1}">{text}</text>"#
        ));
    }

    /// The whole file.
    pub fn finish(self, title: &str, width: f64, height: f64) -> String {
        format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}">
<title>{title}</title>
<style>
text {{ font: 12px "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #1d2733; }}
.name {{ font-weight: bold; }}
.small {{ font-size: 10px; fill: #5b6b7b; }}
.tag {{ font-size: 10px; fill: #2f6db5; }}
.paper {{ fill: #ffffff; }}
.block {{ fill: #f7f9fb; stroke: #1d2733; stroke-width: 1.5; }}
.logic {{ fill: #fff8e1; stroke: #c79a2b; }}
.register {{ fill: #e3f0fd; stroke: #2f6db5; }}
.child {{ fill: #e6f4e6; stroke: #3f8f4a; stroke-width: 1.5; }}
.port {{ fill: #eef1f4; stroke: #5b6b7b; }}
.mark {{ fill: none; stroke: #2f6db5; }}
.wire {{ fill: none; stroke: #7b8794; }}
.bus {{ fill: none; stroke: #4a5663; stroke-width: 2; }}
</style>
<rect class="paper" width="100%" height="100%"/>
{}</svg>
"##,
            self.body
        )
    }
}
