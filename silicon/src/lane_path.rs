//! The whole way of a warp's operands and result past the lanes, without registers: what Origami adds
//! to a lane. Three operands are shifted and one result is shifted back.

use crate::manifest::{Manifest, Source};
use crate::Error;

/// Lanes of the path.
pub const LANES: usize = 32;

/// The path with the shifters of a variant, or nothing if they were not exported.
pub fn source(manifest: &Manifest, variant: &str) -> Result<Option<Source>, Error> {
    let suffix = if variant == "compact" { String::new() } else { format!("__variant_{variant}") };
    let (shift, reshift) = (format!("lane_shift{suffix}"), format!("lane_reshift{suffix}"));
    let mut texts: Vec<String> = Vec::new();
    for part in ["split_mask", &shift, &reshift] {
        if manifest.get(part).is_none() {
            return Ok(None);
        }
        texts.extend(manifest.source(part)?.texts);
    }
    let top = format!("lane_path_{variant}");
    texts.push(verilog(&top, &shift, &reshift));
    Ok(Some(Source { top, texts }))
}

fn verilog(top: &str, shift: &str, reshift: &str) -> String {
    let shifter = |operand: &str, mask: &str| {
        format!(
            "  {shift} u_shift_{operand} (\n    .temp_mask_i (temp_mask_o),\n    \
             .data_i      (operand_{operand}_i),\n    .lane_mask_o ({mask}),\n    \
             .shifted_o   (shifted_{operand}_o)\n  );\n\n"
        )
    };
    format!(
        "module {top} (\n  input  wire   [31:0] active_mask_i,\n  input  wire          split_i,\n  \
         input  wire          sub_warp_i,\n  input  wire    [1:0] cfg_elision_i,\n  \
         input  wire [1023:0] operand_a_i,\n  input  wire [1023:0] operand_b_i,\n  \
         input  wire [1023:0] operand_c_i,\n  input  wire   [31:0] result_mask_i,\n  \
         input  wire [1023:0] result_i,\n  output wire   [31:0] temp_mask_o,\n  \
         output wire          folded_o,\n  output wire   [31:0] lane_mask_o,\n  \
         output wire [1023:0] shifted_a_o,\n  output wire [1023:0] shifted_b_o,\n  \
         output wire [1023:0] shifted_c_o,\n  output wire [1023:0] restored_o\n);\n\n  \
         split_mask u_split (\n    .active_mask_i (active_mask_i),\n    .split_i       (split_i),\n    \
         .sub_warp_i    (sub_warp_i),\n    .cfg_elision_i (cfg_elision_i),\n    \
         .temp_mask_o   (temp_mask_o),\n    .folded_o      (folded_o)\n  );\n\n\
         {}{}{}  {reshift} u_reshift (\n    .temp_mask_i (result_mask_i),\n    \
         .lanes_i     (result_i),\n    .restored_o  (restored_o)\n  );\n\nendmodule\n",
        shifter("a", "lane_mask_o"),
        shifter("b", ""),
        shifter("c", "")
    )
}
