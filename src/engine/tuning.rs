//! Numbers that tune the search, in one place, each with the basis of its value.
//!
//! * "By hand": a person chose the value; it was not measured alone.
//! * "Memory": a bound on the memory or the time of a campaign, which the search rarely reaches.
//!
//! The ablation that a section names measured the part as a whole with these values (docs/EVALUATION.md).

/// Numbers of `bounded_set.rs`.
pub(super) mod bounded_set {
    /// Maximum number of items remembered. Basis: memory.
    pub(in crate::engine) const CAPACITY: usize = 1 << 16;
}

/// Numbers of `branch_solver.rs`; measured as a whole by the ablation of the solver.
pub(super) mod branch_solver {
    /// Number of goals that are looked at to find one to solve. Basis: by hand.
    pub(in crate::engine) const ATTEMPTS: usize = 16;
    /// Number of calls spent on a goal by other techniques before its condition is examined. Basis: by hand.
    pub(in crate::engine) const LEAST_TRIES: u32 = 20;
    /// Number of words that one search may compute at first; twice as many after each failed attempt. Basis: by
    /// hand.
    pub(in crate::engine) const BUDGET: u64 = 10_000;
    /// Cost of a computed word, in the units of the budget. Basis: by hand.
    pub(in crate::engine) const COST: u64 = 1;
    /// Cost of an expression of a path. Basis: by hand.
    pub(in crate::engine) const PER_EXPRESSION: u64 = 8;
    /// Number of sequences between two attempts on one edge at first; twice as many after each attempt. Basis: by
    /// hand.
    pub(in crate::engine) const PAUSE: u64 = 8;
    /// Number of attempts after which the budget and the pause no longer double. Basis: by hand.
    pub(in crate::engine) const DOUBLINGS: u32 = 7;
    /// Maximum number of decisions about one edge whose conditions are examined: the last ones and the first one.
    /// Basis: by hand.
    pub(in crate::engine) const TARGETS: usize = 3;
    /// Maximum number of edges that are tried from one run that covered something for the first time. Basis: by hand.
    pub(in crate::engine) const DISCOVERIES: usize = 4;
    /// Maximum number of conditions that are examined one after the other for one edge. Basis: by hand.
    pub(in crate::engine) const ROUNDS: u32 = 12;
    /// Maximum number of conditions that wait for an external solver. Basis: memory.
    pub(in crate::engine) const QUERIES: usize = 32;
    /// Maximum number of edges whose attempts are remembered. Basis: memory.
    pub(in crate::engine) const KNOWN: usize = 1 << 16;
}

/// Numbers of `call_generator.rs`; measured as a whole by the ablation of calls.
pub(super) mod call_generator {
    /// Percentage of the random calls and mutants that are answered by a reentrant call, if `call_override` is
    /// set. Basis: by hand.
    pub(in crate::engine) const REENTRIES: u32 = 25;
    /// The same percentage if senders play roles: reentrancy is then one of many faults that are searched for.
    /// Basis: by hand.
    pub(in crate::engine) const REENTRIES_OF_ROLES: u32 = 10;
    /// Percentage of the address arguments that become the sender of the call, if senders play roles. Basis: by
    /// hand.
    pub(in crate::engine) const SELVES: usize = 25;
    /// Percentage of the address arguments that become the sender or the owner. Basis: by hand.
    pub(in crate::engine) const OWNERS: usize = 40;
    /// Percentage of the reentrant calls that repeat the outer call, if senders play roles. Basis: by hand.
    pub(in crate::engine) const AGAIN: u32 = 30;
    /// Number of calls to other contracts that can be answered by a reentrant call. Half of the reentrant calls
    /// answer the first of them, the others a random one. Basis: by hand.
    pub(in crate::engine) const NTH: usize = 4;
    /// Percentage of the random calls that repeat a call that showed something new before. Basis: by hand.
    pub(in crate::engine) const KNOWN_CALLS: u32 = 15;
    /// Percentage of the random calls that take over a value of an earlier call of their sequence. Basis: by
    /// hand.
    pub(in crate::engine) const REPEATED_VALUES: u32 = 20;
    /// Maximum number of values examined to find one that an argument can hold. Basis: by hand.
    pub(in crate::engine) const REPEAT_ATTEMPTS: usize = 4;
    /// Typical periods of contracts, in seconds. Basis: by hand.
    pub(in crate::engine) const PERIODS: [u32; 9] =
        [60, 3_600, 86_400, 172_800, 259_200, 604_800, 1_209_600, 2_592_000, 31_536_000];
    /// Typical numbers of blocks of contracts: an hour, a day and a week with 12 seconds per block, and the
    /// reach of `blockhash`. Basis: by hand.
    pub(in crate::engine) const BLOCKS: [u32; 5] = [10, 256, 300, 7_200, 50_400];
    /// Maximum bits of the wei sent along: the balance that Forge gives to every account. Basis: by hand.
    pub(in crate::engine) const VALUE_BITS: usize = 96;
}

/// Numbers of `context_targets.rs`; measured as a whole by the ablation of detours.
pub(super) mod context_targets {
    /// Maximum number of branches in contexts that are remembered. All are forgotten when there are more. Basis:
    /// memory.
    pub(in crate::engine) const KNOWN: usize = 1 << 17;
    /// Maximum number of executions that wait to be worked on. Basis: memory.
    pub(in crate::engine) const WAITING: usize = 1024;
    /// Number of executions compared for a pick. Basis: by hand.
    pub(in crate::engine) const CONTESTANTS: usize = 6;
    /// Maximum number of executions worked on at a time: the work on one may be interrupted by another. Basis:
    /// memory.
    pub(in crate::engine) const AT_WORK: usize = 8;
}

/// Numbers of `corpus/mod.rs`; measured as a whole by the ablation of mutation and prefixes.
pub(super) mod corpus {
    /// Energy of a job on a sequence that was not kept for a path, in candidates. Basis: by hand.
    pub(in crate::engine) const PATHLESS_ENERGY: u32 = 8;
    /// Percentage of the jobs that are on sequences that were not kept for a path. Basis: by hand.
    pub(in crate::engine) const PATHLESS: u32 = 20;
    /// Number of candidates of a job on the best sequence of an optimization that try to shorten it. Basis: by
    /// hand.
    pub(in crate::engine) const BEST_TRIMS: u32 = 2;
    /// Percentage of the prefixes that are best sequences of optimizations. Basis: by hand.
    pub(in crate::engine) const FROM_BEST: u32 = 30;
    /// Percentage of the other prefixes that are sequences that create contracts, if there are any. Basis: by
    /// hand.
    pub(in crate::engine) const FROM_CREATIONS: u32 = 10;
    /// Percentage of the remaining prefixes that are kept states. The others come from the coverage corpus.
    /// Basis: by hand.
    pub(in crate::engine) const FROM_STATES: u32 = 40;
}

/// Numbers of `corpus/coverage.rs`; measured as a whole by the ablation of mutation.
pub(super) mod corpus_coverage {
    /// Maximum number of paths with kept sequences. Basis: memory.
    pub(in crate::engine) const CAPACITY: usize = 4096;
    /// Maximum number of paths whose frequency is remembered: a full table of 2^18 places. Basis: memory.
    pub(in crate::engine) const PATHS: usize = 7 << 15;
    /// Number of entries compared for a pick or an eviction. Basis: by hand.
    pub(in crate::engine) const CONTESTANTS: usize = 4;
    /// Maximum number of paths of one function that wait for their first pick. Basis: memory.
    pub(in crate::engine) const WAITING: usize = 64;
    /// Length, in percent of the longest sequence of a path, above which a sequence replaces it. Basis: by hand.
    pub(in crate::engine) const LONGER: usize = 125;
}

/// Numbers of `corpus/creations.rs`.
pub(super) mod corpus_creations {
    /// Maximum number of families kept; later ones are ignored. Basis: memory.
    pub(in crate::engine) const CAPACITY: usize = 64;
}

/// Numbers of `corpus/states.rs`; measured as a whole by the ablation of values.
pub(super) mod corpus_states {
    /// Maximum number of kept states. Basis: memory.
    pub(in crate::engine) const CAPACITY: usize = 512;
    /// Number of states compared for a pick or an eviction. Basis: by hand.
    pub(in crate::engine) const CONTESTANTS: usize = 4;
    /// Maximum number of states remembered as seen. All are forgotten when there are more. Basis: memory.
    pub(in crate::engine) const SEEN: usize = 1 << 18;
    /// Inverse probability that a state is kept only because it is new. Basis: by hand.
    pub(in crate::engine) const SAMPLE: usize = 32;
}

/// Numbers of `demand.rs`; measured as a whole by the ablation of demand-driven and dependencies.
pub(super) mod demand {
    /// Number of consecutive aggressive runs without a gain after which a function loses its mark. Basis: by
    /// hand.
    pub(in crate::engine) const CREDIT: u32 = 32;
    /// Maximum number of writers remembered for each slot, of different functions. Basis: memory.
    pub(in crate::engine) const WRITERS: usize = 8;
    /// Maximum number of slots with remembered writers, and of contracts and marks. All are forgotten when there
    /// are more. Basis: memory.
    pub(in crate::engine) const SLOTS: usize = 1 << 14;
    /// Maximum number of slots remembered that a writer reads. Basis: memory.
    pub(in crate::engine) const READS: usize = 64;
    /// Maximum number of writers remembered for each contract, for slots without a known writer. Basis: memory.
    pub(in crate::engine) const OF_CONTRACT: usize = 16;
    /// Maximum number of slots remembered for each branch. Basis: memory.
    pub(in crate::engine) const GAINS: usize = 4;
    /// Maximum number of calls put before another at once. Basis: by hand.
    pub(in crate::engine) const CHAIN: usize = 4;
}

/// Numbers of `demand_driven.rs`; measured as a whole by the ablation of demand-driven and dependencies.
pub(super) mod demand_driven {
    /// Percentage of the jobs on the nearest execution of a just-missed branch. Basis: by hand.
    pub(in crate::engine) const ADAPTIVE: u32 = 60;
    /// Number of candidates of a job. Basis: by hand.
    pub(in crate::engine) const ENERGY: u32 = 12;
    /// Inverse probability of aggressive mode for a function that has gained from another state: the paper's
    /// probability of 0.125. Basis: Harvey, section 5: a probability of 0.125.
    pub(in crate::engine) const AGGRESSIVE: usize = 8;
    /// Inverse probability of aggressive mode for a function that has not gained yet and is still marked. Basis:
    /// by hand.
    pub(in crate::engine) const AGGRESSIVE_ON_CREDIT: usize = 2;
    /// Number of candidates of a job on a function that is not marked. All of them run in aggressive mode if its
    /// last call reads anything. Basis: by hand.
    pub(in crate::engine) const TRIALS: u32 = 4;
    /// Maximum number of jobs begun for one candidate. Basis: by hand.
    pub(in crate::engine) const ATTEMPTS: usize = 4;
}

/// Numbers of `dictionary/mod.rs`.
pub(super) mod dictionary {
    /// Maximum number of values of one kind from the sources and the code. More would dilute them. Basis:
    /// memory.
    pub(in crate::engine) const STATIC_WORDS: usize = 1 << 14;
    /// Maximum number of words kept from runs that showed something new. Basis: memory.
    pub(in crate::engine) const LASTING_WORDS: usize = 1 << 12;
    /// Maximum number of words kept from other runs. Basis: memory.
    pub(in crate::engine) const RECENT_WORDS: usize = 1 << 9;
    /// Maximum number of addresses kept from runs. Basis: memory.
    pub(in crate::engine) const SEEN_ADDRESSES: usize = 1 << 8;
    /// Maximum number of words taken from one step. Basis: memory.
    pub(in crate::engine) const WORDS_PER_STEP: usize = 16;
}

/// Numbers of `dictionary/calls.rs`; measured as a whole by the ablation of calls.
pub(super) mod dictionary_calls {
    /// Maximum number of calls remembered per function. A new call replaces the oldest. Basis: memory.
    pub(in crate::engine) const OF_FUNCTION: usize = 16;
    /// Maximum number of functions remembered. Basis: memory.
    pub(in crate::engine) const FUNCTIONS: usize = 1 << 12;
}

/// Numbers of `energy.rs`.
pub(super) mod energy {
    /// Maximum energy of one pick. Basis: AFLFast's exponential schedule, cut off (Harvey, section 3).
    pub(in crate::engine) const MAX: u64 = 256;
    /// Number of additional calls that make a sequence as expensive to run as another single call. Basis: by
    /// hand.
    pub(in crate::engine) const LENGTH_UNIT: u64 = 8;
}

/// Numbers of `example.rs`; measured as a whole by the ablation of unit-tests.
pub(super) mod example {
    /// Number of sequences made from one unit test. Handlers have parameters of their own, which are drawn at
    /// random. Basis: by hand.
    pub(in crate::engine) const VARIANTS: usize = 4;
    /// Percentage of the parameters that take a value of the call in the unit test. Basis: by hand.
    pub(in crate::engine) const TAKEN_OVER: u32 = 75;
    /// Maximum number of places in arguments that can take such values. Basis: memory.
    pub(in crate::engine) const MOST_PLACES: usize = 256;
}

/// Numbers of `failed_predictions.rs`; measured as a whole by the ablation of prediction.
pub(super) mod failed_predictions {
    /// Maximum number of attempts remembered. All are forgotten when there are more. Basis: memory.
    pub(in crate::engine) const KNOWN: usize = 1 << 16;
    /// Number of failures for an edge and a parameter that cause no pause. Basis: by hand.
    pub(in crate::engine) const FREE: u32 = 8;
    /// Pause before the next attempt, in sequences of the campaign, after the first failures that cause one.
    /// Every further failure doubles it. Basis: by hand.
    pub(in crate::engine) const PAUSE: u64 = 64;
    /// Maximum number of doublings of the pause. Basis: by hand.
    pub(in crate::engine) const DOUBLINGS: u32 = 8;
}

/// Numbers of `frontier.rs`; measured as a whole by the ablation of adaptive.
pub(super) mod frontier {
    /// Number of goals compared for a pick. Basis: by hand.
    pub(in crate::engine) const CONTESTANTS: usize = 6;
    /// Maximum number of goals. Further goals replace a retired or less important goal, or are dropped. Basis:
    /// memory.
    pub(in crate::engine) const CAPACITY: usize = 4096;
    /// Maximum number of goals examined to find those that read a written slot. Basis: by hand.
    pub(in crate::engine) const LOOKED_AT: usize = 256;
    /// Weight of an edge, by its urgency: its share of the work. Basis: by hand.
    pub(in crate::engine) const WEIGHTS: [u32; 5] = [1, 1, 4, 4, 8];
    /// Number of calls without progress per unit of weight after which a goal is retired. Basis: by hand.
    pub(in crate::engine) const RETIRED: u32 = 1024;
    /// Inverse probability that a retired goal is worked on when it is picked. Basis: by hand.
    pub(in crate::engine) const RETURNS: usize = 16;
}

/// Numbers of `functions.rs`.
pub(super) mod functions {
    /// Inverse probability that a call goes to a view or pure function. Basis: a view shows assertions only, see
    /// docs/differences.md.
    pub(in crate::engine) const VIEWS: usize = 64;
    /// Number of reverts after which a function that never succeeded loses weight. Basis: by hand.
    pub(in crate::engine) const PATIENCE: u32 = 64;
    /// Maximum number of halvings of the weight of a function whose calls are costly, or use up their gas or time. Each
    /// such call takes as long as thousands of others. Basis: by hand.
    pub(in crate::engine) const MOST_HALVINGS: u32 = 3;
    /// Gas of a costly call, in multiples of the gas of the median function. Basis: by hand; the functions of most
    /// suites differ by less than 50 times.
    pub(in crate::engine) const COSTLY: u64 = 256;
    /// Number of calls after which the median is taken anew. Basis: by hand.
    pub(in crate::engine) const MEDIAN_PERIOD: u32 = 1024;
    /// Weight of a function without problems. It is accepted with certainty once drawn. Basis: by hand.
    pub(in crate::engine) const FULL_WEIGHT: usize = 32;
}

/// Numbers of `initial.rs`; measured as a whole by the ablation of unit-tests.
pub(super) mod initial {
    /// Number of short random sequences per function. Basis: by hand.
    pub(in crate::engine) const WARM_UP: usize = 4;
    /// Divisor of the budget (runs times depth) that gives the maximum number of calls with strings of the
    /// sources. Basis: by hand.
    pub(in crate::engine) const LITERALS: usize = 4;
    /// Maximum number of calls with strings of the sources. Basis: by hand.
    pub(in crate::engine) const MOST_LITERALS: usize = 256;
}

/// Numbers of `input.rs`.
pub(super) mod input {
    /// Maximum number of words of a byte string that are elements. Basis: memory.
    pub(in crate::engine) const WORDS: usize = 16;
    /// Maximum number of nodes of the arguments of one transaction that are examined for elements. Basis: by
    /// hand.
    pub(in crate::engine) const MOST: usize = 256;
    /// Maximum length of byte strings and arrays that prediction creates. Basis: by hand.
    pub(in crate::engine) const LONGEST: usize = 1024;
}

/// Numbers of `job.rs`; measured as a whole by the ablation of prediction.
pub(super) mod job {
    /// Maximum number of calls spent on moving the elements of one sequence one by one, in one job. Basis: by
    /// hand.
    pub(in crate::engine) const PROBE_CALLS: usize = 128;
    /// Minimum number of elements moved in one job, whatever the number of calls. Basis: by hand.
    pub(in crate::engine) const LEAST_PROBES: usize = 4;
    /// Maximum number of elements moved in one job. Basis: by hand.
    pub(in crate::engine) const MOST_PROBES: usize = 32;
}

/// Numbers of `learn/costs.rs`; measured as a whole by the ablation of dependencies.
pub(super) mod learn_costs {
    /// Maximum number of sequences with readers made at once for a run. Basis: by hand.
    pub(in crate::engine) const READERS: usize = 3;
}

/// Numbers of `engine/mod.rs`.
pub(super) mod engine {
    /// Maximum number of waiting candidates of each kind. Basis: memory.
    pub(in crate::engine) const WAITING: usize = 64;
}

/// Numbers of `mutate/mod.rs`; measured as a whole by the ablation of mutation.
pub(super) mod mutate {
    /// Maximum number of operators applied in a row. Basis: by hand.
    pub(in crate::engine) const MOST: usize = 4;
    /// Maximum number of attempts to find an operator that can be applied. Basis: by hand.
    pub(in crate::engine) const ATTEMPTS: usize = 16;
}

/// Numbers of `mutate/argument.rs`; measured as a whole by the ablation of mutation.
pub(super) mod mutate_argument {
    /// Maximum number of calls examined to find one with arguments. Basis: by hand.
    pub(in crate::engine) const ATTEMPTS: usize = 4;
}

/// Numbers of `mutate/duplicate.rs`; measured as a whole by the ablation of mutation.
pub(super) mod mutate_duplicate {
    /// Maximum number of repetitions of a single call. Basis: by hand.
    pub(in crate::engine) const REPETITIONS: usize = 8;
}

/// Numbers of `mutate/tail.rs`; measured as a whole by the ablation of mutation.
pub(super) mod mutate_tail {
    /// Maximum number of calls appended. Basis: by hand.
    pub(in crate::engine) const MOST: usize = 8;
}

/// Numbers of `mutation.rs`; measured as a whole by the ablation of mutation.
pub(super) mod mutation {
    /// Percentage of the jobs on the best sequences of optimizations, if there are any. Basis: by hand.
    pub(in crate::engine) const BEST: u32 = 60;
    /// Maximum size of the arguments of a mutated call, in bytes: nodes do not accept larger transactions into
    /// their pools. Basis: memory.
    pub(in crate::engine) const MOST_BYTES: usize = 128 << 10;
    /// Maximum number of favored paths that wait for a job. Basis: memory.
    pub(in crate::engine) const FAVORED: usize = 1024;
}

/// Numbers of `predict/operand.rs`; measured as a whole by the ablation of input-to-state.
pub(super) mod predict_operand {
    /// Maximum number of sequences made for one branch. Basis: by hand.
    pub(in crate::engine) const MOST: usize = 4;
}

/// Numbers of `predict/root_search.rs`; measured as a whole by the ablation of iteration.
pub(super) mod predict_root_search {
    /// Maximum number of values tried in one search: enough for a bisection of 64 bits. Basis: by hand.
    pub(in crate::engine) const STEPS: u32 = 72;
    /// Number of values after which zero is tried, to get points on both sides of the aim: from far up a steep
    /// curve the way is long. Basis: by hand.
    pub(in crate::engine) const ASTRAY: u32 = 3;
    /// Maximum number of values tried while the gap does not halve. Without it, the search would bisect to the
    /// end at the jumps of `%` and `bound`. Basis: by hand.
    pub(in crate::engine) const PATIENCE: u32 = 3;
    /// Maximum difference in bits of the gaps at both ends of a bracket for which the line between them is
    /// followed. Basis: by hand.
    pub(in crate::engine) const BALANCE: usize = 4;
    /// Maximum number of consecutive values that led elsewhere. Each of them goes back half of the way. Basis:
    /// by hand.
    pub(in crate::engine) const ASTRAY_IN_A_ROW: u32 = 10;
}

/// Numbers of `prediction/mod.rs`; measured as a whole by the ablation of prediction.
pub(super) mod prediction {
    /// Percentage of the jobs on the nearest execution of a just-missed branch. Basis: by hand.
    pub(in crate::engine) const ADAPTIVE: u32 = 40;
    /// Percentage of the other jobs on context-sensitive targets, if there are any. Basis: by hand.
    pub(in crate::engine) const CONTEXT_TARGETS: u32 = 60;
    /// Number of random values tried in a job, in addition to the unit steps. Basis: by hand.
    pub(in crate::engine) const FAR_MOVES: u32 = 3;
    /// Inverse probability that a random value replaces the sender. Basis: by hand.
    pub(in crate::engine) const SENDERS: usize = 8;
    /// Maximum number of nested jobs. Basis: by hand.
    pub(in crate::engine) const NESTING: usize = 4;
    /// Maximum number of jobs begun for one candidate. Most work of a job may be known to be futile. Basis: by
    /// hand.
    pub(in crate::engine) const ATTEMPTS: usize = 4;
}

/// Numbers of `prediction/root_searches.rs`; measured as a whole by the ablation of prediction, iteration,
/// curves and pairs.
pub(super) mod prediction_root_searches {
    /// Maximum number of root searches that one moved element begins, and maximum number of calls that their
    /// first values may cost. Basis: by hand.
    pub(in crate::engine) const SEARCHES: usize = 4;
    /// Maximum number of root searches that one moved element begins, and maximum number of calls that their
    /// first values may cost. Basis: by hand.
    pub(in crate::engine) const SEARCH_CALLS: usize = 32;
    /// Maximum number of these root searches for covered branches, if there are no others. They are for branches
    /// that were taken only on other paths, because each such combination is a new path. Basis: by hand.
    pub(in crate::engine) const COVERED_SEARCHES: usize = 2;
    /// Maximum number of values tried for such a branch. Basis: by hand.
    pub(in crate::engine) const COVERED_STEPS: u32 = 2;
    /// Maximum number of calls in one root search. It tries fewer values for longer sequences. Basis: by hand.
    pub(in crate::engine) const ROOT_SEARCH_CALLS: usize = 160;
    /// Maximum number of values tried from points far apart. Basis: by hand.
    pub(in crate::engine) const PLATEAU_STEPS: u32 = 12;
    /// Minimum number of values allowed for a root search, regardless of the length of the sequence. Basis: by
    /// hand.
    pub(in crate::engine) const FEWEST_STEPS: u32 = 8;
    /// Maximum number of calls for moving pairs of elements, for one element and one branch. Basis: by hand.
    pub(in crate::engine) const PAIR_CALLS: usize = 64;
    /// Maximum number of pairs of traced run and branch with remembered slopes, and maximum number of slopes of
    /// each. Basis: memory.
    pub(in crate::engine) const SLOPES: usize = 4096;
    /// Maximum number of pairs of traced run and branch with remembered slopes, and maximum number of slopes of
    /// each. Basis: memory.
    pub(in crate::engine) const SLOPES_OF_BASE: usize = 16;
}

/// Numbers of `random.rs`; measured as a whole by the ablation of random and prefixes.
pub(super) mod random {
    /// Maximum number of calls of short random sequences. Basis: by hand.
    pub(in crate::engine) const SHORT: usize = 8;
    /// Divisor of the depth that gives the number of calls left to the tail of a prefix, at least one. Basis: by
    /// hand.
    pub(in crate::engine) const LEAST_TAIL: usize = 8;
    /// Percentage of the calls in such sequences that are repeated at once, and maximum number of repetitions.
    /// Basis: by hand.
    pub(in crate::engine) const BURSTS: u32 = 10;
    /// Percentage of the calls in such sequences that are repeated at once, and maximum number of repetitions.
    /// Basis: by hand.
    pub(in crate::engine) const BURST: usize = 8;
    /// Percentage of the calls that are exact copies of an earlier call of the sequence. Basis: by hand.
    pub(in crate::engine) const AGAIN: u32 = 10;
    /// Percentage of the calls of random sequences, and of random tails, that belong to short ones. A few calls
    /// after `setUp` rarely reach anything that the first seconds have not shown. Basis: by hand.
    pub(in crate::engine) const SHORT_SEQUENCES: u64 = 6;
    /// Percentage of the calls of random sequences, and of random tails, that belong to short ones. A few calls
    /// after `setUp` rarely reach anything that the first seconds have not shown. Basis: by hand.
    pub(in crate::engine) const SHORT_TAILS: u64 = 33;
}

/// Numbers of `reentry.rs`. Basis of all: by hand.
pub(super) mod reentry {
    /// Maximum number of sequences that wait for their run.
    pub(in crate::engine) const WAITING: usize = 256;
    /// Maximum number of calls to actors that one call is worked on for.
    pub(in crate::engine) const PLACES: usize = 2;
    /// Number of times that work on a function and place is done for sure. After that, it gets rarer.
    pub(in crate::engine) const FIRST: usize = 8;
    /// Number of sequences made at a time.
    pub(in crate::engine) const VARIANTS: usize = 6;
    /// Percentage of the sequences whose last call gets another amount.
    pub(in crate::engine) const AMOUNTS: u32 = 75;
    /// Percentage of the sequences in which another actor makes the same deposits.
    pub(in crate::engine) const DEPOSITS: u32 = 75;
    /// Maximum number of deposits that are repeated.
    pub(in crate::engine) const MOST_DEPOSITS: usize = 3;
    /// Percentage of the callbacks that are the last call again.
    pub(in crate::engine) const SAME_CALLS: usize = 60;
    /// Percentage of the callbacks that call another function.
    pub(in crate::engine) const OTHER_FUNCTIONS: usize = 25;
}

/// Numbers of `replacement.rs`; measured as a whole by the ablation of input-to-state.
pub(super) mod replacement {
    /// Maximum number of sequences with replaced operands made from one traced run, and maximum number of calls
    /// that they may cost. Basis: by hand.
    pub(in crate::engine) const REPLACEMENTS: usize = 24;
    /// Maximum number of sequences with replaced operands made from one traced run, and maximum number of calls
    /// that they may cost. Basis: by hand.
    pub(in crate::engine) const REPLACEMENT_CALLS: usize = 96;
    /// Maximum number of traced runs examined for one candidate, if none waits. Basis: by hand.
    pub(in crate::engine) const ATTEMPTS: usize = 4;
}

/// Numbers of `senders.rs`.
pub(super) mod senders {
    /// Number of senders that take part in the sequences of a swarm. Basis: by hand.
    pub(in crate::engine) const CIRCLE: usize = 2;
    /// Bits of the number of a swarm that select one of its senders. Basis: by hand.
    pub(in crate::engine) const CIRCLE_BITS: usize = 16;
}

/// Numbers of `shares.rs`; measured as a whole by the ablation of bandit.
pub(super) mod shares {
    /// Minimum share of a technique, in thousandths of the cost. Basis: by hand.
    pub(in crate::engine) const FLOOR: u64 = 35;
    /// Maximum share of a technique, in thousandths of the cost. Basis: by hand.
    pub(in crate::engine) const CAP: u64 = 500;
    /// Minimum cost over which rewards are remembered. Basis: by hand.
    pub(in crate::engine) const LEAST_MEMORY: u64 = 10_000_000;
    /// Divisor of the total cost that gives the cost over which rewards are remembered, if that is more. Basis:
    /// by hand.
    pub(in crate::engine) const MEMORY: u64 = 4;
    /// Reward that every technique is assumed to have earned before it ran. Basis: by hand.
    pub(in crate::engine) const PRIOR_REWARD: u64 = 4;
    /// Cost at which the prior reward is assumed to have been earned. Basis: by hand.
    pub(in crate::engine) const PRIOR_COST: u64 = 1_000_000;
    /// Maximum part of the cost at the start, in thousandths, up to which a technique with pending work need not
    /// wait for its turn. Basis: by hand.
    pub(in crate::engine) const AHEAD_AT_FIRST: u64 = 600;
    /// The same part of the cost after the start, in thousandths. Basis: by hand.
    pub(in crate::engine) const AHEAD_LATER: u64 = 50;
    /// Cost that counts as the start of the campaign. Basis: by hand.
    pub(in crate::engine) const START: u64 = 500_000;
    /// Fixed cost of a sequence in addition to the work of the EVM. The costs are roughly proportional to time.
    /// Basis: by hand.
    pub(in crate::engine) const PER_SEQUENCE: u64 = 200;
    /// Fixed cost of a transaction. Basis: by hand.
    pub(in crate::engine) const PER_TRANSACTION: u64 = 50;
    /// Factor by which the work of traced transactions counts. Basis: by hand.
    pub(in crate::engine) const TRACED: u64 = 4;
}

/// Numbers of `shrink/mod.rs`.
pub(super) mod shrink {
    /// Bytes of calldata that cost one attempt of the budget: copying and encoding wide inputs takes longer than
    /// most runs. Basis: memory.
    pub(in crate::engine) const BYTES_PER_ATTEMPT: usize = 1 << 14;
}

/// Numbers of `shrink/merge.rs`.
pub(super) mod shrink_merge {
    /// Maximum number of calls of a sequence of which all pairs are tried. Basis: by hand.
    pub(in crate::engine) const LONGEST: usize = 32;
}

/// Numbers of `shrink/remove.rs`.
pub(super) mod shrink_remove {
    /// Maximum number of calls of a sequence of which calls are removed one by one. This executes a number of
    /// calls of about half the square of the length. Basis: by hand.
    pub(in crate::engine) const ONE_BY_ONE: usize = 256;
    /// Maximum number of calls of a sequence of which all pairs of calls are removed. Basis: by hand.
    pub(in crate::engine) const PAIRED: usize = 24;
}

/// Numbers of `shrink/search.rs`.
pub(super) mod shrink_search {
    /// Largest number of those tried one by one. Handlers bound their arguments with a modulo, so that small
    /// numbers often suffice. Basis: by hand.
    pub(in crate::engine) const SMALL: u64 = 10;
}

/// Numbers of `traced_run.rs`.
pub(super) mod traced_run {
    /// Number of calls at the end of a sequence whose elements can be moved. Basis: memory.
    pub(in crate::engine) const REACH: usize = 24;
    /// Bytes of the traced runs that an engine keeps. Basis: memory.
    pub(in crate::engine) const MOST_BYTES: usize = 48 << 20;
    /// Bytes of new traced runs after which the size of those that are kept is measured again. Basis: by hand.
    pub(in crate::engine) const MEASURED_BYTES: usize = MOST_BYTES / 4;
}

/// Numbers of `value/generate.rs`.
pub(super) mod value_generate {
    /// Chance, in percent, that a parameter with fixtures takes one of them (as in Forge). Basis: Forge 1.7.
    pub(in crate::engine) const FIXTURES: u32 = 40;
    /// Maximum number of scalars in the dynamic arrays of one argument list. Basis: memory.
    pub(in crate::engine) const SCALARS: usize = 256;
    /// Number of bits by which `SCALARS` shrinks for each level of calldata nested in calldata. Basis: memory.
    pub(in crate::engine) const NESTED: usize = 3;
    /// Maximum length of a random dynamic array. Basis: by hand.
    pub(in crate::engine) const LONGEST: usize = 32;
    /// Maximum total bytes of the byte strings of one argument list. A list may have hundreds of byte strings,
    /// and a call with megabytes of calldata tests nothing useful. Basis: memory.
    pub(in crate::engine) const MOST_BYTES: usize = 1 << 16;
    /// Usual maximum length of a random byte string, in bytes. A few are longer. Basis: by hand.
    pub(in crate::engine) const BYTES: usize = 96;
}

/// Numbers of `value/mutate.rs`.
pub(super) mod value_mutate {
    /// Maximum length to which mutation grows an array or a byte string. Basis: by hand.
    pub(in crate::engine) const LONGEST: usize = 256;
}

/// Numbers of `value/number.rs`.
pub(super) mod value_number {
    /// Inverse probability that an unsigned number comes from `telling` if senders play roles. Oracles then look
    /// for faults that no assertion reveals. Basis: by hand.
    pub(in crate::engine) const TELLING: usize = 8;
}

/// Numbers of `strategy/adaptive.rs`.
pub(super) mod strategy_adaptive {
    /// Number of mutants of a seed in one generation. Basis: by hand; sFuzz leaves it to AFL.
    pub(in crate::engine) const OFFSPRING: u32 = 64;
    /// Maximum number of attempts to make a mutant. Basis: by hand.
    pub(in crate::engine) const ATTEMPTS: usize = 16;
}

/// Numbers of `strategy/genetic.rs`.
pub(super) mod strategy_genetic {
    /// Number of individuals. Basis: the study, table 5.
    pub(in crate::engine) const POPULATION: usize = 100;
    /// Part of a sequence before the point of crossover, in percent. Basis: the study, section 3.1.2.
    pub(in crate::engine) const CROSSOVER: usize = 20;
    /// Percentage of the inputs of offspring that are drawn anew. Basis: the study, section 3.1.2.
    pub(in crate::engine) const MUTATION: u32 = 20;
}

/// Numbers of `strategy/smt.rs`.
pub(super) mod strategy_smt {
    /// Part of the budget for random sequences, in thousandths. Basis: the study, section 3.1.3.
    pub(in crate::engine) const RANDOM: u32 = 500;
}
