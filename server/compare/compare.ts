/** Reads one list in several ways at one revision, and proves that all gave the same. */
import type { ListItem, RequestRecord, TotalRecord } from '../store/interfaces';
import { isStoreError } from '../store/errors';
import { AnswerCheck, FirstAnswer, type AnsweredObject, type Stretch } from './answers';
import { AnswersDifferError, findDifference, type Difference } from './difference';
import {
  ComparisonFailedError,
  type ComparedWay,
  type Comparison,
  type RunPlace,
  type WayName,
} from './model';
import {
  runWay,
  WayFailedError,
  type ComparedList,
  type RequestState,
  type WayEnd,
} from './runWay';

export interface CompareRequest<T> {
  readonly list: ComparedList<T>;
  /** In the order of the first round; each round begins with the next one. */
  readonly ways: readonly WayName[];
  readonly rounds: number;
  /** The value as stored. */
  readonly valueOf: (object: T) => Uint8Array;
}

export interface CompareHooks {
  readonly signal: AbortSignal;
  readonly onRunStarted?: (place: RunPlace) => void;
  /** Numbers begin anew with each LIST of a run. */
  readonly onRequest?: (place: RunPlace, record: RequestRecord, state: RequestState) => void;
  /** The totals of a LIST of a run, also of one that failed. */
  readonly onList?: (place: RunPlace, total: TotalRecord) => void;
  /** Also when it failed, before the comparison ends with that. */
  readonly onRunEnded?: (place: RunPlace, error: unknown) => void;
}

/**
 * The first way's revision pins all others. Rejects with `ComparisonFailedError`, which tells how far it
 * came; its cause is what a list failed with, or `AnswersDifferError`.
 */
export async function compareWays<T>(
  request: CompareRequest<T>,
  hooks: CompareHooks,
): Promise<Comparison> {
  const comparing = new Comparing(request, hooks);
  try {
    await comparing.run();
    return comparing.comparison;
  } catch (error) {
    throw new ComparisonFailedError(error, comparing.comparison);
  }
}

interface First {
  readonly way: WayName;
  readonly answer: FirstAnswer;
  readonly end: WayEnd;
}

type Note = { -readonly [Name in keyof ComparedWay]: ComparedWay[Name] };

const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));

class Comparing<T> {
  private readonly notes: Map<WayName, Note>;
  private first: First | undefined;
  private agreed = 0;

  constructor(
    private readonly request: CompareRequest<T>,
    private readonly hooks: CompareHooks,
  ) {
    this.notes = new Map(request.ways.map((way) => [way, { way, durationsMs: [] }]));
  }

  get comparison(): Comparison {
    const ways = [...this.notes.values()].map((note) => ({ ...note }));
    return { revision: this.first?.end.revision ?? null, ways, agreed: this.agreed };
  }

  async run(): Promise<void> {
    const { ways, rounds } = this.request;
    const of = ways.length * rounds;
    for (let round = 0; round < rounds; round++) {
      for (let i = 0; i < ways.length; i++) {
        const way = ways[(round + i) % ways.length];
        if (way === undefined || this.noteOf(way).unsupported === true) continue;
        await this.one({ way, round: round + 1, nth: round * ways.length + i + 1, of });
      }
    }
  }

  private noteOf(way: WayName): Note {
    const note = this.notes.get(way);
    if (note === undefined) throw new TypeError(`${way} is not compared`);
    return note;
  }

  private async one(place: RunPlace): Promise<void> {
    const note = this.noteOf(place.way);
    const { onRunStarted, onRunEnded } = this.hooks;
    onRunStarted?.(place);
    try {
      const end = await this.answer(place);
      note.figures ??= end.figures;
      note.durationsMs = [...note.durationsMs, end.figures.durationMs];
      onRunEnded?.(place, undefined);
    } catch (error) {
      const failed = this.failureOf(note, error);
      onRunEnded?.(place, failed);
      if (failed !== undefined) throw failed;
    }
  }

  /** Notes what a run had taken when it failed; undefined where this etcd merely has no stream. */
  private failureOf(note: Note, error: unknown): Error | undefined {
    if (!(error instanceof WayFailedError)) return asError(error);
    if (isStoreError(error.cause, 'streamUnsupported')) note.unsupported = true;
    else note.broken = error.figures;
    return note.unsupported === true ? undefined : asError(error.cause);
  }

  private answer(place: RunPlace): Promise<WayEnd> {
    return this.first === undefined ? this.firstAnswer(place) : this.checked(place, this.first);
  }

  private async firstAnswer(place: RunPlace): Promise<WayEnd> {
    const answer = new FirstAnswer();
    const end = await this.read(place, null, this.hooks.signal, (object) => {
      answer.add(object);
    });
    this.first = { way: place.way, answer, end };
    return end;
  }

  /** The run is stopped at the first difference rather than thrown through, so that its receipt is whole. */
  private async checked(place: RunPlace, first: First): Promise<WayEnd> {
    const { signal } = this.hooks;
    const check = new AnswerCheck(first.answer);
    const differs = new AbortController();
    const found: Stretch[] = [];
    const { revision } = first.end;
    let end: WayEnd | undefined;
    try {
      end = await this.read(
        place,
        revision,
        AbortSignal.any([signal, differs.signal]),
        (object) => {
          if (found.length > 0) return;
          const stretch = check.add(object);
          if (stretch === undefined) return;
          found.push(stretch);
          differs.abort();
        },
      );
    } catch (error) {
      if (found.length === 0 || signal.aborted) throw error;
      this.noteBroken(place.way, error);
    }
    const stretch = found[0] ?? check.end();
    if (stretch === undefined && end?.continueToken === first.end.continueToken) {
      this.agreed++;
      return end;
    }
    if (end !== undefined) this.noteOf(place.way).broken = end.figures;
    throw new AnswersDifferError(
      [first.way, place.way],
      stretch === undefined
        ? { kind: 'token', first: first.end.continueToken, second: end?.continueToken ?? '' }
        : await this.difference(place.way, first, stretch),
    );
  }

  private noteBroken(way: WayName, error: unknown): void {
    if (error instanceof WayFailedError) this.noteOf(way).broken = error.figures;
  }

  private read(
    place: RunPlace,
    revision: bigint | null,
    signal: AbortSignal,
    take: (object: AnsweredObject) => void,
  ): Promise<WayEnd> {
    const { onRequest, onList } = this.hooks;
    return runWay(this.request.list, place.way, revision, {
      signal,
      onItems: (items) => {
        for (const item of items) take(this.objectOf(item));
      },
      onRequest: (record, state) => onRequest?.(place, record, state),
      onList: (total) => onList?.(place, total),
    });
  }

  private readonly objectOf = ({ key, modRevision, object }: ListItem<T>): AnsweredObject => ({
    key,
    modRevision,
    value: this.request.valueOf(object),
  });

  private difference(way: WayName, first: First, stretch: Stretch): Promise<Difference> {
    const { hooks, objectOf, request } = this;
    const about = { signal: hooks.signal, objectOf };
    const { revision } = first.end;
    return findDifference(request.list, [first.way, way], revision, stretch, about);
  }
}
