/** Parsing, matching, checking and reading, as often as a second allows. */
import { corpusEntries, type Corpus } from './corpus';
import { named } from './measure';
import { NodeSide, OracleSide, type Sample, type Surroundings } from './processes';
import { median } from './statistics';
import { requireTold } from './told';
import type { RateWork } from './work';
import { encodeContinue } from '../../server/store/continueToken';
import { utf8 } from '../../server/common/bytes';

export interface RateResult {
  readonly title: string;
  /** What upstream does in its place. */
  readonly note: string;
  readonly ours: number;
  readonly theirs: number | undefined;
}

const labels = [
  ['app', 'web'],
  ['app.kubernetes.io/instance', 'web-team-03'],
  ['pod-template-hash', '7d9c5b8f6d'],
  ['tier', 'frontend'],
  ['version', 'v2'],
] as const;

const selector = 'app=web,tier in (frontend,backend),version!=v1,!canary';

function works(corpus: Corpus): { title: string; note: string; work: RateWork }[] {
  const blank = { text: '', labels: [], prefix: '', value: '', seconds: 1 };
  const prefix = `${corpus.root}/pods/`;
  const [first] = corpusEntries({ ...corpus, pods: 1 });
  if (first === undefined) throw new Error('a corpus without objects');
  const token = encodeContinue(utf8(`${first[0]}\0`), utf8(prefix), 84_213n);
  const value = Buffer.from(first[1]).toString('base64');
  return [
    {
      title: 'label selectors parsed',
      note: 'the same',
      work: { ...blank, mode: 'labels', text: selector },
    },
    {
      title: 'label selectors matched',
      note: 'the same',
      work: { ...blank, mode: 'match', text: selector, labels },
    },
    {
      title: 'continue tokens checked',
      note: 'the same',
      work: { ...blank, mode: 'token', text: token, prefix },
    },
    {
      title: 'metadata read of Pods of 2 KB',
      note: 'the whole Pod',
      work: { ...blank, mode: 'decode', value },
    },
  ];
}

/** Rejects, naming the side, when it told none. */
async function rateOf(name: string, run: Promise<Sample>): Promise<number> {
  const told = async (): Promise<number> => {
    const sample = await run;
    requireTold(sample, ['perSecond']);
    return sample.perSecond ?? 0;
  };
  return named(name, told());
}

export async function measureRates(
  corpus: Corpus,
  around: Surroundings,
  oracle: string | undefined,
  rounds: number,
): Promise<RateResult[]> {
  const ours = await NodeSide.start('rates', around);
  const theirs = oracle === undefined ? undefined : await OracleSide.start(oracle, around);
  const results: RateResult[] = [];
  for (const { title, note, work } of works(corpus)) {
    const [mine, upstream]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      mine.push(await rateOf('engine', ours.ask({ op: 'rate', rate: work })));
      if (theirs !== undefined) upstream.push(await rateOf('upstream', theirs.rate(work)));
    }
    results.push({ title, note, ours: median(mine), theirs: theirs && median(upstream) });
  }
  await ours.stop();
  await theirs?.stop();
  return results;
}
