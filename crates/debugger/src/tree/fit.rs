//! Opens as much of a tree as there are lines for: what is near the root first.

use super::node::{Fold, Left, Node, NodeKind};
use std::collections::VecDeque;

/// A node is opened for no fewer lines than these.
const FEWEST: usize = 3;

/// Folds what is too much. Of one node at most `most` children are shown.
pub(super) fn fit(roots: &mut [Node], lines: usize, most: usize) {
    let mut left = lines.saturating_sub(roots.len());
    let mut paths: VecDeque<Vec<usize>> = (0..roots.len()).map(|root| vec![root]).collect();
    while let Some(path) = paths.pop_front() {
        let Some(node) = at(roots, &path) else { continue };
        if node.fold != Fold::Open {
            node.children.clear();
            continue;
        }
        let fits = left.min(most);
        if node.has_focus || node.children.len() <= fits {
            left = left.saturating_sub(node.children.len());
        } else if fits >= FEWEST {
            shorten(node, fits);
            left -= fits;
        } else {
            node.children.clear();
            node.fold = Fold::Folded;
            continue;
        }
        let count = node.children.len();
        paths.extend((0..count).map(|child| path.iter().copied().chain([child]).collect()));
    }
}

fn at<'n>(roots: &'n mut [Node], path: &[usize]) -> Option<&'n mut Node> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(roots.get_mut(*first)?, |node, &child| node.children.get_mut(child))
}

/// Leaves out what comes last.
fn shorten(node: &mut Node, lines: usize) {
    let rest = node.children.split_off(lines - 1);
    let step = rest.first().map_or(node.local_step, |first| first.local_step);
    let count = rest.iter().try_fold(0, |count, node| match node.kind {
        NodeKind::More { count: more, .. } => Some(count + more?),
        _ => Some(count + 1),
    });
    node.children.push(Node::more(node.thread, count, Left::Lines, step));
}
