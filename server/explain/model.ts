/** An explanation as plain data: which way an API server would serve a list, by which rules. */

export type Way =
  | 'watchCache'
  /** From etcd, page by page, or in one read where there is no limit. */
  | 'etcdPages'
  | 'etcdStream'
  /** From etcd, one key. */
  | 'etcdKey'
  | 'refused';

export interface Step {
  /** Its letter in docs/rules.md. */
  readonly rule: string;
  /** Upstream's file and function. */
  readonly source: string;
  /** One sentence, with the request's own values. */
  readonly text: string;
}

export interface Outcome {
  readonly way: Way;
  /** One sentence; of a refusal, what is to be said beside it. */
  readonly text: string;
  /** What the API server answers, in its own words. */
  readonly refusal?: Refusal;
  /** The watch cache asks etcd for its current revision first. */
  readonly asksRevision?: true;
}

export interface Refusal {
  /** Absent where only the text is known. */
  readonly status?: number;
  readonly message: string;
}

/** A condition that is not known here, with both ways from it. */
export interface Fork {
  readonly rule: string;
  readonly source: string;
  /** What would help to know it. */
  readonly about: string;
  readonly likely: Branch;
  readonly otherwise: Branch;
}

export interface Branch {
  /** When it is taken. */
  readonly when: string;
  readonly trail: Trail;
}

/** Steps in the order in which they are decided, and what follows them. */
export interface Trail {
  readonly steps: readonly Step[];
  readonly end: Outcome | Fork;
}

export interface Alternative {
  readonly name: 'withoutLimit' | 'resourceVersion0' | 'streamed' | 'oneKey';
  readonly title: string;
  /** What is otherwise for the client. */
  readonly meaning: string;
  readonly trail: Trail;
}

export interface CheckedServer {
  /** Such as `1.37`. */
  readonly version: string;
  /** The release of `k8s.io/apiserver` that the steps' sources stand in. */
  readonly release: string;
}

export interface Explanation {
  /** The request in one line. */
  readonly request: string;
  /** Whose decisions these are; absent where no API server is asked. */
  readonly server?: CheckedServer;
  readonly notes: readonly string[];
  readonly trail: Trail;
  /** How it is read at etcd, where it most likely is not but may be. */
  readonly atEtcd?: Trail;
  /** How the requests go that follow with continue tokens; absent where none does. */
  readonly following?: Trail;
  readonly alternatives: readonly Alternative[];
}

export function isFork(end: Outcome | Fork): end is Fork {
  return 'likely' in end;
}

/** The way taken where everything is as it mostly is, and the steps on it. */
export function likelyPath(trail: Trail): {
  readonly steps: readonly Step[];
  readonly end: Outcome;
} {
  if (!isFork(trail.end)) return { steps: trail.steps, end: trail.end };
  const rest = likelyPath(trail.end.likely.trail);
  return { steps: [...trail.steps, ...rest.steps], end: rest.end };
}

/** Every way that a trail may end in. */
export function waysOf({ end }: Trail): readonly Way[] {
  if (!isFork(end)) return [end.way];
  return [...new Set([...waysOf(end.likely.trail), ...waysOf(end.otherwise.trail)])];
}
