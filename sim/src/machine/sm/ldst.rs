//! The LD/ST unit: memory instructions in order, one transaction a cycle.
//!
//! Loads look in their cache and wait for what misses. Stores drop the line from the L1 (write-evict) and
//! go out; the queue of unacknowledged stores is bounded. Atomics are done at the L2. Shared memory takes
//! as many cycles as its worst bank.

use super::super::config::MachineConfig;
use super::super::time::Time;
use super::super::uncore::packet::Ask;
use super::coalesce::{bank_cycles, coalesce, further_rows, turns, Transaction};
use super::hooks::{CacheAccess, Hooks, SharedAccess, Touch};
use super::l1::{CacheKind, Outcome, Waiter, L1};
use super::outbox::{Outbox, Reach};
use crate::exec::{Access, AccessKind, LaneMask};
use crate::ptx::Space;
use std::collections::VecDeque;

/// What an answer from the memory side is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// A line of a cache.
    Line(CacheKind, u64),
    /// A store's acknowledgement.
    Store,
    /// The result of an atomic, for this memory instruction.
    Atomic(u32),
}

/// How an instruction goes through the unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Way {
    Shared {
        cycles: u64,
    },
    Read(CacheKind),
    Store {
        /// Elements fill the words that they touch.
        words: bool,
    },
    Atomic {
        result: bool,
    },
    #[default]
    Fence,
}

#[derive(Clone, Debug, Default)]
struct Operation {
    warp: usize,
    pc: u32,
    issued: u64,
    ready: u64,
    way: Way,
    write: bool,
    active: LaneMask,
    transactions: Vec<Transaction>,
    next: usize,
    /// Answers that are still to come.
    left: u32,
    /// When the slowest part so far is complete.
    complete: u64,
    sent: bool,
}

/// A memory instruction on its way to the unit.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<'a> {
    /// Warp slot.
    pub warp: usize,
    /// Program counter.
    pub pc: u32,
    /// Core cycle in which it issued.
    pub issued: u64,
    /// Core cycle in which its operands are complete.
    pub ready: u64,
    /// Its addresses; none for a fence. Local addresses have been turned into global ones.
    pub access: Option<&'a Access>,
    /// Rows of local memory that an element lies in; 1 elsewhere.
    pub rows: u64,
    /// Whether it wants something back.
    pub result: bool,
}

/// A memory instruction that is complete in a known cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    /// Warp slot.
    pub warp: usize,
    /// Program counter.
    pub pc: u32,
    /// Core cycle.
    pub cycle: u64,
}

/// See the module's text.
#[derive(Clone, Debug)]
pub struct Ldst {
    /// Data cache.
    pub data: L1,
    /// Constant cache.
    pub constant: L1,
    /// Texture cache.
    pub texture: L1,
    capacity: usize,
    store_queue: usize,
    shared_banks: usize,
    shared_cycles: u64,
    shared_row: u64,
    queue: VecDeque<u32>,
    operations: Vec<Operation>,
    free: Vec<u32>,
    busy_until: u64,
    /// Until when shared memory repeats an access.
    conflict_until: u64,
    stores: usize,
    /// What the answers under way are for, by token.
    sent: Vec<Sent>,
    free_tokens: Vec<u32>,
    /// Instructions that became complete; the SM takes them.
    pub completed: Vec<Completion>,
    /// Why the head of the queue did not move in this cycle.
    pub blocked: Blocked,
    /// The cache whose access did not move.
    blocked_cache: Option<CacheKind>,
}

/// Why the head of the queue did not move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Blocked {
    /// It did, or there was none.
    #[default]
    No,
    /// No miss register, merge or way.
    Miss,
    /// The store queue is full.
    Stores,
    /// The way out is busy or has no credit.
    Port,
}

impl Ldst {
    /// An idle unit.
    pub fn new(config: &MachineConfig) -> Self {
        Ldst {
            data: L1::new(&config.l1_data),
            constant: L1::new(&config.l1_constant),
            texture: L1::new(&config.l1_texture),
            capacity: config.sm.ldst_queue,
            store_queue: config.sm.store_queue,
            shared_banks: config.sm.shared_banks,
            shared_cycles: config.sm.shared_cycles,
            shared_row: config.sm.shared_banks as u64 * 4,
            queue: VecDeque::new(),
            operations: vec![],
            free: vec![],
            busy_until: 0,
            conflict_until: 0,
            stores: 0,
            sent: vec![],
            free_tokens: vec![],
            completed: vec![],
            blocked: Blocked::No,
            blocked_cache: None,
        }
    }

    /// Counts cycles in which the head of the queue, if a cache keeps it there, does not move.
    pub fn wait(&mut self, cycles: u64) {
        if let Some(kind) = self.blocked_cache {
            self.cache(kind).counts.blocked_cycles += cycles;
        }
    }

    /// Whether another instruction fits.
    pub fn has_room(&self) -> bool {
        self.queue.len() < self.capacity
    }

    /// Whether a store is unacknowledged.
    pub fn stores_outstanding(&self) -> bool {
        self.stores > 0
    }

    /// Whether the store queue is full.
    pub fn stores_full(&self) -> bool {
        self.stores >= self.store_queue
    }

    /// Whether a load of any kind waits for the memory side.
    pub fn loads_outstanding(&self) -> bool {
        self.data.outstanding() + self.constant.outstanding() + self.texture.outstanding() > 0
    }

    /// Cycles from this one on in which shared memory only repeats the access before.
    pub fn conflict_cycles(&self, now: u64) -> u64 {
        self.conflict_until.saturating_sub(now + 1)
    }

    fn cache(&mut self, kind: CacheKind) -> &mut L1 {
        match kind {
            CacheKind::Constant => &mut self.constant,
            CacheKind::Texture => &mut self.texture,
            CacheKind::Data | CacheKind::Instruction => &mut self.data,
        }
    }

    /// Takes an instruction.
    pub fn push(&mut self, arrival: &Arrival) {
        let Arrival { warp, pc, issued, ready, access, rows, result } = *arrival;
        let id = self.free.pop().unwrap_or_else(|| {
            self.operations.push(Operation::default());
            self.operations.len() as u32 - 1
        });
        // Lists keep their memory from the last instruction.
        let mut transactions = std::mem::take(&mut self.operations[id as usize].transactions);
        transactions.clear();
        let (way, write) = match access {
            None => (Way::Fence, false),
            Some(access) => {
                let write = matches!(access.kind, AccessKind::Store);
                let way = match (access.space, access.kind) {
                    (Space::Shared, _) => {
                        Way::Shared { cycles: bank_cycles(access, self.shared_banks) }
                    }
                    (_, AccessKind::Atomic) => Way::Atomic { result },
                    (_, AccessKind::Store) => Way::Store { words: access.bytes >= 4 },
                    (_, AccessKind::Texture) => Way::Read(CacheKind::Texture),
                    (Space::Const | Space::Param, _) => Way::Read(CacheKind::Constant),
                    _ => Way::Read(CacheKind::Data),
                };
                let line_bytes = match way {
                    Way::Read(kind) => self.cache(kind).config.line_bytes as u64,
                    Way::Shared { .. } => self.shared_row,
                    _ => self.data.config.line_bytes as u64,
                };
                coalesce(access, line_bytes, &mut transactions);
                further_rows(rows, &mut transactions);
                if let Way::Atomic { .. } = way {
                    turns(access, line_bytes, &mut transactions);
                }
                (way, write)
            }
        };
        self.operations[id as usize] = Operation {
            warp,
            pc,
            issued,
            ready,
            way,
            write,
            active: access.map_or(LaneMask::NONE, |access| access.lanes),
            transactions,
            next: 0,
            left: 0,
            complete: ready + 1,
            sent: false,
        };
        self.queue.push_back(id);
    }

    /// The next cycle in which the unit can do something by itself, if it waits for no one else.
    pub fn next_cycle(&self, now: u64) -> Option<u64> {
        let head = self.queue.front()?;
        let ready = self.operations[*head as usize].ready.max(self.busy_until);
        (ready > now).then_some(ready)
    }

    /// One cycle; true if something moved.
    pub fn step<H: Hooks>(
        &mut self,
        now: u64,
        time: Time,
        outbox: &mut Outbox,
        hooks: &mut H,
    ) -> bool {
        self.blocked = Blocked::No;
        self.blocked_cache = None;
        let Some(&id) = self.queue.front() else { return false };
        if self.busy_until > now || self.operations[id as usize].ready > now {
            return false;
        }
        let moved = match self.operations[id as usize].way {
            Way::Shared { cycles } => {
                self.shared(id, cycles, now, hooks);
                true
            }
            Way::Read(kind) => self.read(id, kind, now, time, outbox, hooks),
            Way::Store { .. } | Way::Atomic { .. } => self.write(id, now, time, outbox, hooks),
            Way::Fence => {
                let done = self.stores == 0;
                self.operations[id as usize].sent = done;
                done
            }
        };
        if self.operations[id as usize].sent {
            self.queue.pop_front();
            self.finish_if_complete(id, now);
        }
        moved
    }

    fn shared<H: Hooks>(&mut self, id: u32, cycles: u64, now: u64, hooks: &mut H) {
        let operation = &mut self.operations[id as usize];
        let held = hooks.hold_shared(&SharedAccess {
            cycle: now,
            known: operation.issued,
            rows: &operation.transactions,
            active: operation.active,
            write: operation.write,
            cycles,
        });
        self.conflict_until = now + cycles;
        self.busy_until = now + cycles + held.stall;
        operation.complete = now + cycles - 1 + held.delay + self.shared_cycles;
        operation.sent = true;
    }

    fn read<H: Hooks>(
        &mut self,
        id: u32,
        kind: CacheKind,
        now: u64,
        time: Time,
        outbox: &mut Outbox,
        hooks: &mut H,
    ) -> bool {
        let operation = &self.operations[id as usize];
        let (known, active) = (operation.issued, operation.active);
        let Some(&transaction) = operation.transactions.get(operation.next) else {
            self.operations[id as usize].sent = true;
            return true;
        };
        let can_send = outbox.can_send(time, transaction.line_for(self.cache(kind)));
        let cache = self.cache(kind);
        let outcome = cache.read(transaction.line, Waiter::Memory(id), can_send);
        let hit_cycles = cache.config.hit_cycles;
        let full = cache.is_full();
        let (block, touch) = match outcome {
            Outcome::Hit(block) => (block, Touch::Read),
            Outcome::Merged(block) | Outcome::Miss { block, .. } => (block, Touch::Tags),
            Outcome::Blocked => {
                self.blocked = if can_send || full { Blocked::Miss } else { Blocked::Port };
                self.blocked_cache = Some(kind);
                self.wait(1);
                return false;
            }
        };
        let Transaction { lanes, words, .. } = transaction;
        let access =
            CacheAccess { cache: kind, cycle: now, known, block, lanes, active, words, touch };
        let held = hooks.hold(&access);
        if held.stall > 0 {
            self.busy_until = now + 1 + held.stall;
        }
        if let Outcome::Miss { slot, .. } = outcome {
            hooks.miss(kind, slot, true, now);
            let line = transaction.line_for(self.cache(kind));
            let token = self.token(Sent::Line(kind, transaction.line));
            outbox.send(time, line, Ask::Read, Reach { words: u32::MAX, active, turns: 1 }, token);
        }
        let operation = &mut self.operations[id as usize];
        match outcome {
            Outcome::Hit(_) => {
                operation.complete = operation.complete.max(now + hit_cycles + held.delay)
            }
            _ => operation.left += 1,
        }
        operation.next += 1;
        operation.sent = operation.next == operation.transactions.len();
        true
    }

    /// A store, or an atomic that is done at the L2.
    fn write<H: Hooks>(
        &mut self,
        id: u32,
        now: u64,
        time: Time,
        outbox: &mut Outbox,
        hooks: &mut H,
    ) -> bool {
        let operation = &self.operations[id as usize];
        let transaction = operation.transactions[operation.next];
        let Transaction { line, lanes, words, turns } = transaction;
        let (ask, result) = match operation.way {
            Way::Atomic { result } => (Ask::Atomic, result),
            way => {
                let whole = way == (Way::Store { words: true }) && words == u32::MAX;
                (Ask::Write { whole }, false)
            }
        };
        // An atomic that wants nothing back is a store to this unit.
        if !result && self.stores >= self.store_queue {
            self.blocked = Blocked::Stores;
            return false;
        }
        if !outbox.can_send(time, line) {
            self.blocked = Blocked::Port;
            return false;
        }
        let (known, active) = (operation.issued, operation.active);
        if let Some(block) = self.data.evict(line) {
            let (cache, touch) = (CacheKind::Data, Touch::Evict);
            hooks.hold(&CacheAccess {
                cache,
                cycle: now,
                known,
                block,
                lanes,
                active,
                words,
                touch,
            });
        }
        self.stores += usize::from(!result);
        let token = self.token(if result { Sent::Atomic(id) } else { Sent::Store });
        outbox.send(time, line, ask, Reach { words, active, turns }, token);
        let operation = &mut self.operations[id as usize];
        operation.left += u32::from(result);
        operation.next += 1;
        operation.complete = now + 1;
        operation.sent = operation.next == operation.transactions.len();
        true
    }

    fn token(&mut self, sent: Sent) -> u32 {
        match self.free_tokens.pop() {
            Some(token) => {
                self.sent[token as usize] = sent;
                token
            }
            None => {
                self.sent.push(sent);
                self.sent.len() as u32 - 1
            }
        }
    }

    /// Requests without an answer; less than none if one was answered twice.
    pub fn unanswered(&self) -> i64 {
        self.sent.len() as i64 - self.free_tokens.len() as i64
    }

    /// A token for a line of the instruction cache, which shares the way out.
    pub fn fetch_token(&mut self, line: u64) -> u32 {
        self.token(Sent::Line(CacheKind::Instruction, line))
    }

    /// An answer has come; what it was for. Lines of the instruction cache are the caller's.
    pub fn answered<H: Hooks>(&mut self, token: u32, now: u64, hooks: &mut H) -> Sent {
        let sent = self.sent[token as usize];
        self.free_tokens.push(token);
        match sent {
            Sent::Line(CacheKind::Instruction, _) => {}
            Sent::Line(kind, line) => {
                if let Some((block, slot, waiters)) = self.cache(kind).fill(line) {
                    hooks.miss(kind, slot, false, now);
                    // The line's data is passed on to those who wait while it is written.
                    hooks.hold(&CacheAccess::refill(kind, now, block));
                    for waiter in waiters {
                        if let Waiter::Memory(id) = waiter {
                            self.one_less(id, now);
                        }
                    }
                }
            }
            Sent::Store => self.stores -= 1,
            Sent::Atomic(id) => self.one_less(id, now),
        }
        sent
    }

    fn one_less(&mut self, id: u32, now: u64) {
        let operation = &mut self.operations[id as usize];
        operation.left -= 1;
        operation.complete = operation.complete.max(now + 1);
        self.finish_if_complete(id, now);
    }

    fn finish_if_complete(&mut self, id: u32, now: u64) {
        let operation = &mut self.operations[id as usize];
        if operation.sent && operation.left == 0 {
            self.completed.push(Completion {
                warp: operation.warp,
                pc: operation.pc,
                cycle: operation.complete.max(now + 1),
            });
            operation.sent = false;
            self.free.push(id);
        }
    }

    /// A new kernel starts with empty caches.
    pub fn invalidate_all(&mut self) {
        self.data.invalidate_all();
        self.constant.invalidate_all();
        self.texture.invalidate_all();
    }
}

impl Transaction {
    /// The L2 line that holds this line of `cache`, whose lines may be shorter.
    fn line_for(&self, cache: &L1) -> u64 {
        self.line * cache.config.line_bytes as u64 / 128
    }
}
