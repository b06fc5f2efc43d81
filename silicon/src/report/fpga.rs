//! The FPGA table.

use super::markdown::{table, thousands};
use super::Report;
use crate::ice40::{source_digest, Fit, LOGIC_CELLS};

impl Report<'_> {
    pub(super) fn fpga(&self) -> String {
        if self.fits.is_empty() {
            return String::new();
        }
        let rows = self.manifest.modules().iter().filter_map(|module| {
            let fit = self.fits.iter().find(|fit| fit.module == module.module)?;
            Some(vec![
                format!("`{}`", module.module),
                thousands(fit.luts as u64),
                thousands(fit.flip_flops as u64),
                thousands(fit.carries as u64),
                self.frequency(fit),
            ])
        });
        format!(
            "## On an FPGA\n\n\
             Lattice iCE40 HX8K ({} logic cells) by `synth_ice40` and nextpnr with seed 1, measured by `scripts/area --ice40`\n\
             (`apt-get install nextpnr-ice40`). Tables and flip-flops are the block's own. For the frequency each block sits\n\
             between two shift registers, a generated wrapper with five pins, so that every path runs from register to register.\n\
             Modules with more flip-flops and port bits than the FPGA has logic cells are left out, and so is\n\
             `gang_issue`, which Yosys needs more than half an hour to map.\n\n{}",
            thousands(LOGIC_CELLS as u64),
            table(
                "lrrrr",
                &["module", "LUT4", "flip-flops", "carries", "MHz"],
                rows
            )
        )
    }

    fn frequency(&self, fit: &Fit) -> String {
        let now = self.manifest.source(&fit.module).map(|source| source_digest(&source));
        if now.ok().as_ref() != Some(&fit.source) {
            return "of an older export: run `scripts/area --ice40`".into();
        }
        fit.max_mhz.map_or("too large".into(), |mhz| format!("{mhz:.0}"))
    }
}
