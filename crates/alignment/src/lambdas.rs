//! Bodies of lambdas: the compiler numbers them, so that one more in a method gives other names to those behind it.

use crate::mapping::Mapping;
use crate::mapping::subsequence::longest;
use crate::methods::is_same_code;
use crate::side::{Pair, Side};
use std::collections::{BTreeMap, BTreeSet};
use whydunit_replay::Program;
use whydunit_replay::program::{MethodCode, MethodIndex};

/// `lambda$main$0` is number 0 of `lambda$main`.
pub(crate) fn is_lambda(name: &str) -> bool {
    numbered(name).is_some()
}

fn numbered(name: &str) -> Option<(&str, u32)> {
    let (host, number) = name.rsplit_once('$')?;
    host.starts_with("lambda$").then_some(())?;
    Some((host, number.parse().ok()?))
}

/// Lambdas of two versions of a class that are the same, or much the same, in the same order in both.
pub(crate) fn partners(programs: Pair<&Program>, lambdas: Pair<Vec<MethodIndex>>) -> Vec<Pair<MethodIndex>> {
    let mut hosts: Pair<BTreeMap<String, Vec<(u32, &MethodCode)>>> = Pair::default();
    for side in Side::BOTH {
        for code in lambdas[side].iter().filter_map(|&method| programs[side].code(method).ok()) {
            if let Some((host, number)) = numbered(&code.name) {
                hosts[side].entry(host.to_owned()).or_default().push((number, code));
            }
        }
        hosts[side].values_mut().for_each(|of_host| of_host.sort_unstable_by_key(|(number, _)| *number));
    }
    let mut found = Vec::new();
    for (host, left) in &hosts.left {
        let Some(right) = hosts.right.get(host) else { continue };
        let codes = Pair { left, right }.map(|of_host| of_host.iter().map(|&(_, code)| code).collect());
        found.extend(of_host(programs, codes));
    }
    found
}

/// Those of one method, in the order of the source.
fn of_host(programs: Pair<&Program>, codes: Pair<Vec<&MethodCode>>) -> Vec<Pair<MethodIndex>> {
    let kinds = kinds(programs, &codes);
    let most = codes.left.len() + codes.right.len();
    let mut pairs = longest(&kinds.left, &kinds.right, most).unwrap_or_default();
    // What is left between two that are the same was edited.
    let taken: BTreeSet<u32> = pairs.iter().map(|pair| pair.left).collect();
    for left in (0..codes.left.len() as u32).filter(|left| !taken.contains(left)) {
        let (before, after) = (pairs.iter().rfind(|pair| pair.left < left), pairs.iter().find(|pair| pair.left > left));
        let first = before.map_or(0, |pair| pair.right + 1);
        let end = after.map_or(codes.right.len() as u32, |pair| pair.right);
        let is_edited = |right: &u32| {
            let code = Pair { left: codes.left[left as usize], right: codes.right[*right as usize] };
            code.left.descriptor == code.right.descriptor && Mapping::of(programs, code).is_some()
        };
        if let Some(right) = (first..end).find(is_edited) {
            pairs.push(Pair { left, right });
            pairs.sort_unstable_by_key(|pair| pair.left);
        }
    }
    let method = |pair: Pair<u32>| Pair {
        left: codes.left[pair.left as usize].index,
        right: codes.right[pair.right as usize].index,
    };
    pairs.into_iter().map(method).collect()
}

/// Numbers that are the same for lambdas that do the same.
fn kinds(programs: Pair<&Program>, codes: &Pair<Vec<&MethodCode>>) -> Pair<Vec<u32>> {
    let mut known: Vec<(Side, &MethodCode)> = Vec::new();
    let mut kinds = Pair { left: Vec::new(), right: Vec::new() };
    for side in Side::BOTH {
        for &code in &codes[side] {
            let is_same = |&(of, other): &(Side, &MethodCode)| {
                let programs = Pair { left: programs[of], right: programs[side] };
                other.descriptor == code.descriptor && is_same_code(programs, other, code)
            };
            let kind = known.iter().position(is_same).unwrap_or(known.len());
            if kind == known.len() {
                known.push((side, code));
            }
            kinds[side].push(kind as u32);
        }
    }
    kinds
}
