//! Gangs: narrow warps that run in lock-step while they agree (A Variable Warp Size Architecture).

pub mod gang_directory;
pub mod gang_issue;
pub mod gang_operation;
pub mod gang_reformer;
pub mod gang_splitter;
pub mod gang_table;
pub mod gang_table_ram;
