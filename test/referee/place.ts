/** One cluster on the etcd, below a root of its own, and what a plan's lists are there. */
import type { ListAsk, Oracle } from './oracle';
import type { ClusterPlan, ListPlan, TokenPlan, VersionPlan, WritePlan } from './plans/plan';
import { ClusterWrites } from './writes';

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');

export class Place {
  /** Below which all keys of the cluster stand. */
  readonly root: string;
  /** What was written so far, in order. */
  readonly history: (readonly WritePlan[])[] = [];
  /** Tokens that lists gave. */
  readonly tokens: string[] = [];
  private readonly writes: ClusterWrites;
  private begin = 0n;
  private head = 0n;

  private constructor(
    private readonly oracle: Oracle,
    private readonly plan: ClusterPlan,
    /** Names it, as text of ASCII letters and digits. */
    readonly name: string,
  ) {
    this.root = `${name}/${plan.root}`;
    this.writes = new ClusterWrites(this.root, plan.resourcePrefix);
  }

  /** With the writes of `history` made. */
  static async found(
    oracle: Oracle,
    plan: ClusterPlan,
    name: string,
    history: readonly (readonly WritePlan[])[],
  ): Promise<Place> {
    const place = new Place(oracle, plan, name);
    await place.lookAtHead();
    place.begin = place.head;
    for (const plans of history) await place.write(plans);
    return place;
  }

  /** Revision before its first write. */
  get base(): bigint {
    return this.begin;
  }

  /** Takes the tokens of a cluster with the same history, moved to where that history is here. */
  adoptTokens({ tokens, begin }: Place): void {
    const here = (revision: string): bigint => {
      const over = BigInt(revision) - begin;
      if (over < 0n) return BigInt(revision);
      // Revisions beyond the history are of writes elsewhere.
      return this.begin + over > this.head ? this.head : this.begin + over;
    };
    for (const token of tokens) {
      const json = Buffer.from(token, 'base64url').toString('utf8');
      const moved = json.replace(/"rv":(\d+)/, (_, at: string) => `"rv":${String(here(at))}`);
      this.tokens.push(utf8(moved).toString('base64url'));
    }
  }

  async lookAtHead(): Promise<void> {
    this.head = await this.oracle.revision();
  }

  async write(plans: readonly WritePlan[]): Promise<void> {
    this.history.push(plans);
    const changes = this.writes.of(plans);
    if (changes.length > 0) this.head = await this.oracle.apply(changes);
  }

  async compact(share: number): Promise<void> {
    const revision = this.at(share);
    // Below an earlier compaction etcd refuses it, which leaves history as a plan may want it.
    await this.oracle.compact(revision).catch((error: unknown) => {
      if (!String(error).includes('has been compacted')) throw error;
    });
  }

  /**
   * Ends it. What etcd holds of ended clusters would be gone over by every compaction, which would
   * make each slower than the one before.
   */
  async erase(): Promise<void> {
    await this.oracle.erase(this.name);
  }

  /** Nothing happens meanwhile. */
  ask(plan: ListPlan): ListAsk {
    const { resourcePrefix } = this.plan;
    const key = plan.key.startsWith('=')
      ? plan.key.slice(1)
      : resourcePrefix.replace(/\/$/, '') +
        (plan.key === '' && resourcePrefix.endsWith('/') ? '/' : plan.key);
    return {
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
      compact: false,
    };
  }

  /**
   * History is compacted before an etcd read of the list. Only for lists at the latest revision: at any
   * other, the first side would spoil the second's.
   */
  compacted(plan: ListPlan): ListAsk {
    const ask = this.ask(plan);
    const key = utf8(`/${this.name}/elsewhere`).toString('base64');
    return {
      ...ask,
      resourceVersion: '',
      match: '',
      continue: ask.continue === '' ? '' : latestStart,
      disturb: plan.disturb,
      changes: [{ key, raw: '' }],
      compact: true,
    };
  }

  /** The plan's own writes are made before an etcd read of the list. */
  written(plan: ListPlan): ListAsk {
    const changes = this.writes.of(plan.meanwhile);
    const disturb = Math.max(1, plan.disturb);
    return { ...this.ask(plan), disturb, changes, compact: plan.compactToo };
  }

  private at(share: number): bigint {
    return this.begin + BigInt(Math.floor(share * Number(this.head - this.begin)));
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
}

const latestStart = utf8('{"v":"meta.k8s.io/v1","rv":-1,"start":"a"}').toString('base64url');

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
