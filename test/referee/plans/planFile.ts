/** A plan as a file holds it, so that it can be played again. */
import type { ClusterPlan } from './plan';
import {
  byKind,
  either,
  flag,
  int64Text,
  listOf,
  maybe,
  members,
  one,
  share,
  shown,
  ShapeError,
  text,
  textLike,
  tuple,
  whole,
  type Shape,
} from './shape';

/** Grows with every change of `plan.ts` that makes older plans mean something else. */
export const planVersion = 1;

export interface PlanFile {
  readonly refereePlan: typeof planVersion;
  /** The etcd that both sides read. */
  readonly etcd: '3.6' | '3.7';
  readonly plan: ClusterPlan;
}

export const planText = (etcd: PlanFile['etcd'], plan: ClusterPlan): string =>
  JSON.stringify({ refereePlan: planVersion, etcd, plan } satisfies PlanFile);

const base64 = textLike(
  /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/,
  'a text in base64',
  2_000_000,
);

const version = either('a version', { share, ahead: whole(-1_000_000, 1_000_000), text });

const graft = members('a graft', { part: whole(1, 3), apart: flag, bytes: base64 });

const write = byKind('a write', {
  put: members('a put', {
    ...{ kind: text, namespace: text, name: text },
    suffix: textLike(/^(?:[\da-f]{2})*$/i, 'bytes in hexadecimal'),
    labels: listOf(tuple(text, text), 1000),
    ...{ node: text, phase: text, hostNetwork: flag, ip: text, ips: listOf(text, 1000) },
    ...{ json: flag, grafts: listOf(graft, 1000), together: flag },
  }),
  delete: members('a delete', { kind: text, namespace: text, name: text }),
  bulk: members('a bulk', {
    ...{ kind: text, namespace: text, count: whole(0, 20_000) },
    ...{ every: whole(1, 20_000), badEvery: whole(0, 20_000), padding: whole(0, 100_000) },
  }),
  bad: members('a bad', {
    ...{ kind: text, namespace: text, name: text, raw: maybe(base64) },
    damage: members('a damage', { keep: whole(0, 1000), at: whole(0, 1000), xor: whole(0, 255) }),
  }),
});

const token = byKind('a token', {
  none: members('no token', { kind: text }),
  given: members('a given token', {
    ...{ kind: text, index: whole(0, 1_000_000), tamper: text, at: share },
  }),
  made: members('a made token', { kind: text, version, start: text }),
  text: members('a token as text', { kind: text, text }),
});

const writes = listOf(write, 20_000);

const step = byKind('a step', {
  list: members('a list step', {
    ...{ kind: text, key: text, recursive: flag, version, match: text, limit: int64Text },
    ...{ label: text, field: text, token, stream: flag, aggregate: flag, forget: flag },
    ...{ follow: whole(0, 100_000), disturb: whole(0, 100_000), meanwhile: writes },
    compactToo: flag,
  }),
  write: members('a write step', { kind: text, write }),
  compact: members('a compact step', { kind: text, share }),
});

const plan = members('a plan', {
  ...{ brief: maybe(flag), root: text, resourcePrefix: text, writes },
  steps: listOf(step, 20_000),
});

const etcd: Shape = textLike(/^3\.[67]$/, "'3.6' or '3.7'");
const planFile = members("a referee's plan", { refereePlan: one(planVersion), etcd, plan });

/** Throws `ShapeError` with one clause, unless the text is a plan that this version plays. */
export function readPlanText(json: string): PlanFile {
  const value = parse(json);
  const { refereePlan } = value as { refereePlan?: unknown };
  if (refereePlan === undefined) {
    throw new ShapeError("holds no plan of the referee: it has no member 'refereePlan'");
  }
  if (refereePlan !== planVersion) {
    const versions = `of version ${shown(refereePlan)}, and this referee plays`;
    throw new ShapeError(`holds a plan ${versions} version ${String(planVersion)}`);
  }
  checkMembers(value);
  return value;
}

function parse(json: string): object {
  if (json.trim() === '') throw new ShapeError('is empty');
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new ShapeError('is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ShapeError(`holds no plan of the referee, but ${shown(value)}`);
  }
  return value;
}

function checkMembers(value: object): asserts value is PlanFile {
  try {
    planFile(value, 'file');
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw new ShapeError(`is no plan: ${error.message.replace(/^file[.:]? ?/, '')}`);
  }
  const { steps } = (value as PlanFile).plan;
  if (!steps.some(({ kind }) => kind === 'list')) {
    throw new ShapeError('is no plan: plan.steps has no list, so there is nothing to compare');
  }
}
