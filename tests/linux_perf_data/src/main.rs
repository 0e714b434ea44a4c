//! linux_perf_data_reader FILE... reads jitdump files with the library that samply uses, and prints for each the number
//! of records and of line entries. The exit status is 1 if it refuses one.
//!
//! scripts/bench builds it where cargo is installed and its registry can be reached.
use linux_perf_data::jitdump::{JitDumpReader, JitDumpRecord};
use std::error::Error;
use std::fs::File;

fn read(path: &str) -> Result<(u64, u64), Box<dyn Error>> {
    let mut reader = JitDumpReader::new(File::open(path)?)?;
    let (mut records, mut lines) = (0, 0);
    while let Some(raw) = reader.next_record()? {
        records += 1;
        if let JitDumpRecord::CodeDebugInfo(info) = raw.parse()? {
            lines += info.entries.len() as u64;
        }
    }
    Ok((records, lines))
}

fn main() {
    let mut refused = false;
    for path in std::env::args().skip(1) {
        match read(&path) {
            Ok((records, lines)) => println!("{path} ok {records} {lines}"),
            Err(error) => {
                println!("{path} refused {error}");
                refused = true;
            }
        }
    }
    std::process::exit(refused as i32);
}
