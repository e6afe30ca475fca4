/** What a run of the language side found, as tables. */
import { LONGEST_MS, SHORTEST_MS } from '../../../server/features/language/pause';
import { number, type Table } from '../table';
import { besideMs, foundBy, workMs, type Beside, type Request } from './beside';
import { msOf, type FileResult } from './files';
import {
  completions,
  offersMs,
  offersTail,
  offersTailCpu,
  offersWorst,
  touchedMs,
  type IndexResult,
} from './indexes';
import { middleMs, peak, type LargeResult } from './largeFiles';

export interface Report {
  readonly command: string;
  readonly machine: string;
  readonly when: string;
  readonly rounds: number;
  /** Before and after. */
  readonly load: readonly [number, number];
  readonly versions: readonly string[];
  readonly notes: readonly string[];
  readonly files: readonly FileResult[];
  readonly large: readonly LargeResult[];
  readonly indexes: readonly IndexResult[];
  readonly beside: Beside | undefined;
}

export interface Section {
  readonly title: string;
  /** What one has to know to read it. */
  readonly text: string;
  readonly table: Table;
}

const ms = (value: number): string =>
  number(value, value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0);
const mega = (bytes: number): string => number(bytes / 1e6, bytes < 10e6 ? 1 : 0);
const ratio = (value: number): string => number(value, value < 0.1 ? 4 : 2);

const shapes = {
  documents: 'many documents',
  list: 'one List',
} as const;

const indexShapes = {
  values: '50,000 values of one label',
  keys: '100,000 label keys',
} as const;

const fileRows = (file: FileResult): string[][] => {
  const usual = msOf(file, 'usual');
  const lean = msOf(file, 'lean');
  const row = (what: string, time: number): string[] => [
    shapes[file.shape],
    what,
    ms(time),
    ratio(time / usual),
    ratio(time / lean),
  ];
  return [
    row('yaml parses all of it', usual),
    row('yaml parses all of it, least work', lean),
    row('analysis of a text never seen', msOf(file, 'analyse')),
    row('analysis after a keystroke', msOf(file, 'change')),
    row('completion of a label value after a keystroke', msOf(file, 'complete')),
    row('hover on a selector after a keystroke', msOf(file, 'hover')),
    row('lenses of the whole file, counted', msOf(file, 'lenses')),
  ];
};

function fileSection(files: readonly FileResult[]): Section {
  const sizes = files.map(
    ({ shape, lines, documents, selectors, findings }) =>
      `${shapes[shape]}: ${number(lines)} lines, ${number(documents)} YAML documents, ${number(selectors)} selectors, ${number(findings)} findings`,
  );
  return {
    title: 'A manifest',
    text: `In one process. ${sizes.join('; ')}. The target is an analysis of a text never seen in at most 1.5 of what yaml takes to parse it. Lenses, hover and completion stand beside an index of 100,000 objects.`,
    table: {
      head: ['text', 'what', 'ms', '÷ yaml', '÷ yaml, least work'],
      rows: files.flatMap(fileRows),
      textColumns: 2,
    },
  };
}

function largeRow({ shape, bytes, ours, parse }: LargeResult): string[] {
  const { unchecked = 0, selectors = 0 } = ours[0]?.counts ?? {};
  const parsed = typeof parse === 'string' ? undefined : parse;
  return [
    `${mega(bytes)} MB, ${shapes[shape]}`,
    unchecked > 0 ? 'no, which is said' : 'yes',
    number(selectors),
    ms(middleMs(ours)),
    mega(peak(ours)),
    parsed === undefined ? 'ended' : ms(parsed.ms),
    parsed === undefined ? 'ended' : mega(parsed.memory),
    parsed === undefined ? '–' : ratio(middleMs(ours) / parsed.ms),
  ];
}

function largeSection(large: readonly LargeResult[]): Section {
  const ends = large.flatMap(({ shape, parse }) =>
    typeof parse === 'string' ? [` Of ${shapes[shape]}: ${parse}.`] : [],
  );
  return {
    title: 'Large texts',
    text: `Each run in a process of its own; memory is its peak above the process that has the text and nothing else. The parse is the one with the least work, run once.${ends.join('')}`,
    table: {
      head: [
        ...['text', 'all gone over', 'selectors', 'analysis ms', 'MB', 'yaml ms', 'yaml MB'],
        'analysis ÷ yaml',
      ],
      rows: large.map(largeRow),
      textColumns: 2,
    },
  };
}

const indexSection = (indexes: readonly IndexResult[], rounds: number): Section => ({
  title: 'Completion from what is stored',
  text: `An index of 100,000 objects; words are typed at it that find much, little, and nothing: ${number(completions)} answers in each of ${rounds} runs. Of each run 99 % of the answers took less than what stands here, the median over the runs, as time that passes and as time of the processor, whatever else runs; the slowest is that of all runs. The parse is that of the one document that a keystroke touches, a Deployment.`,
  table: {
    head: [
      ...['index', 'building it ms', 'kept MB', 'completion ms', '99 % below', 'of processor'],
      ...['slowest', 'parse ms', '99 % ÷ parse'],
    ],
    rows: indexes.map((one) => [
      indexShapes[one.shape],
      ms(one.buildMs),
      mega(one.kept),
      ms(offersMs(one)),
      ms(offersTail(one)),
      ms(offersTailCpu(one)),
      ms(offersWorst(one)),
      ms(touchedMs(one)),
      ratio(offersTail(one) / touchedMs(one)),
    ]),
    textColumns: 1,
  },
});

const requests: Readonly<Record<Request, string>> = {
  open: 'opened → diagnostics',
  diagnostics: 'keystroke → diagnostics',
  'label value': 'completion of a label value after a keystroke',
  field: 'completion of a field after a keystroke',
  hover: 'hover on a selector after a keystroke',
};

function besideSection({ files, memory }: Beside): Section {
  const rows = files.flatMap((file) =>
    (Object.entries(requests) as [Request, string][]).map(([request, title]) => {
      const [ours, theirs] = [besideMs(file, 'ours', request), besideMs(file, 'theirs', request)];
      const work = [workMs(file, 'ours', request), workMs(file, 'theirs', request)] as const;
      return [
        number(file.lines),
        title,
        ...[ms(ours), ms(theirs), ratio(ours / theirs), ms(work[0]), ms(work[1])],
        ...[number(foundBy(file, 'ours', request)), number(foundBy(file, 'theirs', request))],
      ];
    }),
  );
  return {
    title: "Beside npm's yaml-language-server",
    text: `Both over pipes, on the same Node.js, warmed up, asked in turns. They do not do the same: yaml-language-server validates every document against the schema of its kind and completes fields from it; ours checks selectors and labels alone, and completes these from what is stored. Ours looks at once at a document that is opened, and ${SHORTEST_MS} ms after a keystroke, or twice as long as the last look took, ${LONGEST_MS} ms at most; theirs waits 200 ms each time. Work is the time without ${SHORTEST_MS} and 200 ms. Found are errors (none is right here: both were seen to find one that was put there before), the items offered, or the hover. Memory at most: ours ${mega(memory.ours)} MB above its start, theirs ${mega(memory.theirs)} MB.`,
    table: {
      head: [
        ...['lines', 'what', 'ours ms', 'theirs ms', 'ours ÷ theirs', 'ours work', 'theirs work'],
        ...['ours found', 'theirs found'],
      ],
      rows,
      textColumns: 2,
    },
  };
}

export function sectionsOf({ files, large, indexes, beside, rounds }: Report): Section[] {
  return [
    fileSection(files),
    ...(large.length === 0 ? [] : [largeSection(large)]),
    indexSection(indexes, rounds),
    ...(beside === undefined ? [] : [besideSection(beside)]),
  ];
}

export const introductionOf = ({ rounds, load, versions, notes }: Report): string[] => [
  `Medians of ${rounds} runs; load of the machine ${number(load[0], 1)} before and ${number(load[1], 1)} after. Measured: ${versions.join(', ')}.`,
  ...notes.map((text) => `${text}.`),
];
