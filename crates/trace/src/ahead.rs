//! Unpacking the blocks of a stream on another thread before they are needed.

use crate::reader::BlockRef;
use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

/// Blocks that wait at the most.
const WAITING: usize = 4;

/// The blocks of a stream, one after the other.
#[derive(Debug)]
pub(crate) struct ReadAhead {
    unpacked: Receiver<io::Result<Vec<u8>>>,
}

impl ReadAhead {
    /// The thread ends with the blocks, or when nobody wants them any more.
    pub(crate) fn start(file: Arc<File>, blocks: Vec<BlockRef>) -> io::Result<ReadAhead> {
        let (sender, unpacked) = sync_channel(WAITING);
        let unpack_all = move || {
            for block in blocks {
                let mut bytes = Vec::new();
                let loaded = block.load(&file, &mut bytes).map(|()| bytes);
                if sender.send(loaded).is_err() {
                    break;
                }
            }
        };
        thread::Builder::new().name("read ahead".to_owned()).spawn(unpack_all)?;
        Ok(ReadAhead { unpacked })
    }

    /// The next block; `None` when there is none any more.
    pub(crate) fn next(&self) -> Option<io::Result<Vec<u8>>> {
        self.unpacked.recv().ok()
    }
}
