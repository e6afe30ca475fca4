/** Plays a plan on both sides and compares every list. */
import { withoutForeignTexts, type Engine } from './engine';
import { RefereeFault, type Change, type ListAsk, type Oracle } from './oracle';
import { differences, upstreamOutcome, type Outcome } from './outcome';
import type { BulkPlan, ClusterPlan, ListPlan, TokenPlan, VersionPlan, WritePlan } from './plans';

/** The two sides did not answer alike. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch';
}

/** How many comparisons of each kind were made. */
export class Tally {
  total = 0;
  private readonly kinds = new Map<string, number>();

  count(...kinds: readonly string[]): void {
    this.total++;
    for (const kind of kinds) this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
  }

  of(kind: string): number {
    return this.kinds.get(kind) ?? 0;
  }

  text(): string {
    const rows = [...this.kinds].sort(([a], [b]) => (a < b ? -1 : 1));
    return rows.map(([kind, count]) => `  ${String(count).padStart(7)}  ${kind}`).join('\n');
  }
}

function kindsOf(ask: ListAsk, outcome: Outcome): string[] {
  const { error, requests, items, remaining } = outcome;
  const streams = requests.filter((request) => request.startsWith('RangeStream')).length;
  const pages = requests.length - streams;
  const how = !ask.recursive
    ? 'single key'
    : streams === 0
      ? 'pages'
      : pages === 0
        ? 'stream'
        : 'stream and other reads';
  const kinds = [requests.length === 0 ? 'refused before any read' : how];
  if (requests.length > 2) kinds.push('three reads or more');
  if (ask.continue !== '') kinds.push('with a token');
  if (ask.labelSelector !== '' || ask.fieldSelector !== '') kinds.push('with a selector');
  if (ask.disturb > 0) kinds.push('compacted meanwhile');
  if (outcome.continue !== '') kinds.push('gives a token');
  if (remaining !== null) kinds.push('gives a remaining count');
  if (error === null) return [...kinds, items.length === 0 ? 'answer: empty' : 'answer: items'];
  const causes =
    error.causes.length > 100 ? ', cut' : error.causes.length > 1 ? ', several causes' : '';
  const token = error.continue === '' ? '' : ' with a token';
  return [...kinds, `error: ${error.kind} ${error.code} ${error.reason}${token}${causes}`];
}

interface Compared {
  readonly ask: ListAsk;
  readonly outcome: Outcome;
}

const brokenOff = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Compares one list; throws `Mismatch`, or `RefereeFault` when the comparison itself broke. */
export class Referee {
  readonly tally = new Tally();

  constructor(
    readonly oracle: Oracle,
    private readonly engine: Pick<Engine, 'list'>,
  ) {}

  async compare(ask: ListAsk, foreign: ReadonlySet<string> = new Set()): Promise<Compared> {
    const { theirs, ours } =
      ask.disturb > 0 ? await this.oneAfterTheOther(ask) : await this.sideBySide(ask);
    const isForeign = (key: string): boolean => foreign.has(key);
    const mask = (outcome: Outcome): Outcome => ({
      ...outcome,
      error: withoutForeignTexts(outcome.error, isForeign, ours.failedKey),
    });
    const found = differences(mask(ours.outcome), mask(theirs));
    if (found.length > 0) {
      throw new Mismatch(`${found.join('\n  ')}\n  list: ${JSON.stringify(ask)}`);
    }
    this.tally.count(...kindsOf(ask, theirs));
    return { ask, outcome: theirs };
  }

  private ours(ask: ListAsk, base = 0n, disturb?: () => Promise<void>) {
    return this.engine.list(ask, base, disturb).catch((error: unknown) => {
      if (error instanceof RefereeFault) throw error;
      throw new Mismatch(`the engine broke: ${brokenOff(error)}\n  list: ${JSON.stringify(ask)}`);
    });
  }

  private async sideBySide(ask: ListAsk) {
    const [theirs, ours] = await Promise.allSettled([this.oracle.list(ask), this.ours(ask)]);
    if (theirs.status === 'rejected') throw theirs.reason;
    if (ours.status === 'rejected') throw ours.reason;
    return { theirs: upstreamOutcome(theirs.value), ours: ours.value };
  }

  /** Each side meets the same disturbance, so each begins at a latest revision of its own. */
  private async oneAfterTheOther(ask: ListAsk) {
    const first = await this.oracle.revision();
    const theirs = upstreamOutcome(await this.oracle.list(ask), first);
    const second = await this.oracle.revision();
    const ours = await this.ours(ask, second, async () => {
      await this.oracle.apply(ask.changes);
      await this.oracle.compact(0n);
    });
    return { theirs, ours };
  }
}

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');

/** One cluster of a plan, below a root that nothing else uses. */
export class Cluster {
  private readonly root: string;
  private readonly keyPrefix: string;
  private readonly tokens: string[] = [];
  private readonly foreign = new Set<string>();
  private written = 0;
  private begun = 0;
  private base = 0n;
  private head = 0n;

  constructor(
    private readonly referee: Referee,
    private readonly plan: ClusterPlan,
    place: string,
    /** Told after every list; true ends the play. */
    private readonly enough: () => boolean = () => false,
  ) {
    this.root = `${place}/${plan.root}`;
    const path = `/${this.root}/`.replace(/\/+/g, '/');
    this.keyPrefix = `${path}${plan.resourcePrefix.replace(/^\/|\/$/g, '')}/`;
  }

  /** The plan without the steps that were not begun. */
  soFar(): ClusterPlan {
    return { ...this.plan, steps: this.plan.steps.slice(0, this.begun) };
  }

  async play(): Promise<void> {
    this.base = await this.referee.oracle.revision();
    this.head = this.base;
    await this.write(this.plan.writes);
    for (const step of this.plan.steps) {
      if (this.enough()) return;
      this.begun++;
      if (step.kind === 'write') await this.write([step.write]);
      else if (step.kind === 'compact') await this.compact(step.share);
      else await this.list(step);
    }
  }

  private async write(plans: readonly WritePlan[]): Promise<void> {
    const changes = intoTransactions(plans.flatMap((plan) => this.changes(plan)));
    if (changes.length > 0) this.head = await this.referee.oracle.apply(changes);
  }

  private async compact(share: number): Promise<void> {
    const revision = this.at(share);
    // Below an earlier compaction etcd refuses it, which leaves history as a plan may want it.
    await this.referee.oracle.compact(revision).catch((error: unknown) => {
      if (!String(error).includes('has been compacted')) throw error;
    });
  }

  private at(share: number): bigint {
    return this.base + BigInt(Math.floor(share * Number(this.head - this.base)));
  }

  private keyOf(namespace: string, name: string, suffix = ''): Buffer {
    return Buffer.concat([
      utf8(`${this.keyPrefix}${namespace}/${name}`),
      Buffer.from(suffix, 'hex'),
    ]);
  }

  private changes(plan: WritePlan): Change[] {
    const uid = `u${String(++this.written)}`;
    if (plan.kind === 'bulk') return this.bulk(plan);
    const { namespace, name } = plan;
    const key = this.keyOf(namespace, name, plan.kind === 'put' ? plan.suffix : '');
    if (plan.kind === 'delete') return [{ key: key.toString('base64'), delete: true }];
    if (plan.kind === 'put') {
      const { labels, node, phase, hostNetwork, json, together } = plan;
      const pod = { namespace, name, labels, node, phase, hostNetwork, json, uid };
      return [{ key: key.toString('base64'), together, pod }];
    }
    const { raw, damage } = plan;
    // Cut so short, the magic bytes are gone and upstream tries its other decoders.
    const cut = damage.keep > 0 && damage.keep < 40;
    if (raw?.foreign ?? cut) this.foreign.add(key.toString('utf8'));
    const pod = { namespace, name, uid, labels: [['app', 'web'] as const] };
    return [
      {
        key: key.toString('base64'),
        ...(raw === undefined ? { pod, damage } : { raw: raw.base64 }),
      },
    ];
  }

  private bulk({ namespace, count, every, badEvery, padding }: BulkPlan): Change[] {
    return Array.from({ length: count }, (_, i) => {
      const name = `bulk-${String(i).padStart(5, '0')}`;
      const labels: [string, string][] = i % every === every - 1 ? [['rare', 'yes']] : [];
      const key = this.keyOf(namespace, name).toString('base64');
      const uid = `u${String(++this.written)}`;
      const isBad = badEvery > 0 && i % badEvery === badEvery - 1;
      if (isBad) return { key, together: i > 0, raw: headless };
      return { key, together: i > 0, pod: { namespace, name, labels, padding, uid } };
    });
  }

  private version(plan: VersionPlan): string {
    if ('share' in plan) return String(this.at(plan.share));
    return 'ahead' in plan ? String(this.head + BigInt(plan.ahead)) : plan.text;
  }

  private token(plan: TokenPlan): string {
    switch (plan.kind) {
      case 'none':
        return '';
      case 'text':
        return plan.text;
      case 'made': {
        const start = JSON.stringify(plan.start);
        const json = `{"v":"meta.k8s.io/v1","rv":${this.version(plan.version)},"start":${start}}`;
        return utf8(json).toString('base64url');
      }
      case 'given': {
        const token = this.tokens.at(-1 - (plan.index % Math.max(1, this.tokens.length))) ?? '';
        return tampered(token, plan.tamper, Math.floor(plan.at * token.length));
      }
    }
  }

  private ask(plan: ListPlan): ListAsk {
    const { resourcePrefix } = this.plan;
    const key = plan.key.startsWith('=')
      ? plan.key.slice(1)
      : resourcePrefix.replace(/\/$/, '') +
        (plan.key === '' && resourcePrefix.endsWith('/') ? '/' : plan.key);
    const ask: ListAsk = {
      root: this.root,
      resourcePrefix,
      stream: plan.stream,
      aggregate: plan.aggregate,
      forget: plan.forget,
      key,
      recursive: plan.recursive,
      resourceVersion: this.version(plan.version),
      match: plan.match,
      limit: plan.limit,
      labelSelector: plan.label,
      fieldSelector: plan.field,
      continue: this.token(plan.token),
      brief: this.plan.brief ?? false,
      disturb: 0,
      changes: [],
    };
    return plan.disturb > 0 ? this.disturbed(ask, plan.disturb) : ask;
  }

  /** Only lists at the latest revision: for any other, the first side would spoil the second's. */
  private disturbed(ask: ListAsk, disturb: number): ListAsk {
    const key = utf8(`/elsewhere/${this.root}`).toString('base64');
    const start = utf8('{"v":"meta.k8s.io/v1","rv":-1,"start":"a"}').toString('base64url');
    return {
      ...ask,
      resourceVersion: '',
      match: '',
      continue: ask.continue === '' ? '' : start,
      disturb,
      changes: [{ key, raw: '' }],
    };
  }

  private async list(plan: ListPlan): Promise<void> {
    let { ask, outcome } = await this.referee.compare(this.ask(plan), this.foreign);
    if (ask.disturb > 0) {
      this.head = await this.referee.oracle.revision();
      return;
    }
    this.keep(outcome);
    for (let page = 0; page < plan.follow && outcome.continue !== ''; page++) {
      if (this.enough()) return;
      ask = { ...ask, resourceVersion: '', match: '', continue: outcome.continue };
      ({ outcome } = await this.referee.compare(ask, this.foreign));
      this.keep(outcome);
    }
  }

  private keep({ continue: token, error }: Outcome): void {
    if (token !== '') this.tokens.push(token);
    if (error !== null && error.continue !== '') this.tokens.push(error.continue);
  }
}

/** Protobuf's magic bytes and nothing behind them. */
const headless = utf8('k8s\0').toString('base64');

/** Bounds of one transaction, below etcd's own (128 writes, 1.5 MiB). */
const mostWrites = 100;
const mostPadding = 1_000_000;

/** Ends a transaction where etcd would refuse it: too many writes, too large, a key twice. */
function intoTransactions(changes: readonly Change[]): Change[] {
  let padding = 0;
  const keys = new Set<string>();
  return changes.map((change) => {
    padding += change.pod?.padding ?? 0;
    const fits = keys.size < mostWrites && padding < mostPadding && !keys.has(change.key);
    const together = change.together === true && fits;
    if (!together) {
      keys.clear();
      padding = change.pod?.padding ?? 0;
    }
    keys.add(change.key);
    return { ...change, together };
  });
}

function tampered(token: string, how: string, at: number): string {
  const head = token.slice(0, at);
  const tail = token.slice(at);
  switch (how) {
    case 'flip':
      return head + (tail.startsWith('A') ? 'B' : 'A') + tail.slice(1);
    case 'cut':
      return head;
    case 'pad':
      return `${token}=`;
    case 'newline':
      return `${head}\r\n${tail}`;
    case 'plus':
      return `${head}+${tail}`;
    case 'twice':
      return token + token;
    case 'space':
      return `${head} ${tail}`;
    default:
      return token;
  }
}
