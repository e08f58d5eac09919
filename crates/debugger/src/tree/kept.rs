//! A list of which only some is kept: the first, the last, and what is around the focus.

use super::node::{Left, Node};
use std::collections::VecDeque;

#[derive(Debug)]
pub(super) struct Kept {
    what: Left,
    nodes: Vec<Node>,
    /// How many more are kept at once.
    room: usize,
    /// How many of the last are kept.
    tail: usize,
    last: VecDeque<Node>,
    left_out: u64,
    /// The first that was left out since something was kept.
    left_out_at: Option<u64>,
    is_focused: bool,
}

impl Kept {
    pub(super) fn new(what: Left, room: usize, tail: usize) -> Kept {
        Kept {
            what,
            nodes: Vec::new(),
            room,
            tail,
            last: VecDeque::new(),
            left_out: 0,
            left_out_at: None,
            is_focused: false,
        }
    }

    /// Whether a node that is added now may be kept.
    pub(super) fn wants(&self) -> bool {
        self.room > 0 || self.tail > 0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.last.is_empty() && self.left_out == 0
    }

    pub(super) fn add(&mut self, node: Node) {
        if self.room > 0 {
            self.room -= 1;
            self.nodes.push(node);
            return;
        }
        self.last.push_back(node);
        if self.last.len() > self.tail
            && let Some(first) = self.last.pop_front()
        {
            self.leave_out(first.local_step);
        }
    }

    pub(super) fn leave_out(&mut self, step: u64) {
        self.left_out += 1;
        self.left_out_at.get_or_insert(step);
    }

    /// What is added from now on is what matters: so many are kept, and of what follows the last few.
    pub(super) fn focus(&mut self, room: usize, tail: usize) {
        if std::mem::replace(&mut self.is_focused, true) {
            return;
        }
        self.close_gap();
        self.room = room;
        self.tail = tail;
    }

    fn close_gap(&mut self) {
        let after = self.last.front().or(self.nodes.last());
        if self.left_out > 0
            && let Some(thread) = after.map(|node| node.thread)
        {
            let step = self.left_out_at.take().unwrap_or_default();
            self.nodes.push(Node::more(thread, Some(self.left_out), self.what, step));
            self.left_out = 0;
        }
        self.nodes.extend(self.last.drain(..));
    }

    pub(super) fn finish(mut self) -> (Vec<Node>, u64) {
        self.close_gap();
        (self.nodes, self.left_out)
    }

    /// The node that was added last.
    /// Puts back what was taken.
    pub(super) fn add_back(&mut self, node: Node) {
        if self.last.is_empty() && self.left_out == 0 {
            self.nodes.push(node);
        } else {
            self.last.push_back(node);
        }
    }

    pub(super) fn take_last(&mut self) -> Option<Node> {
        self.last.pop_back().or_else(|| if self.left_out == 0 { self.nodes.pop() } else { None })
    }
}
