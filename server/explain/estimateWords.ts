/** What an estimate takes for granted, in words. */
import type { ListStart } from './asked';
import { bytesText, countText, grouped, rateText } from './estimateNumbers';
import type { EstimateRow, Matches, StoredKeys } from './estimateModel';

export function assumptionsOf(
  stored: StoredKeys,
  rows: readonly EstimateRow[],
  from: ListStart,
): string[] {
  const { bytesPerKey } = stored;
  const has = (way: EstimateRow['way']): boolean => rows.some((row) => row.way === way);
  return [
    ...startWords(from),
    ...matchWords(stored),
    ...sourceWords(stored),
    ...(has('watchCache')
      ? [
          'From the watch cache etcd sends no object; a consistent read asks it for its current revision.',
        ]
      : []),
    ...(has('etcdStream') && bytesPerKey !== undefined
      ? [
          'Chunks of a stream are sized as etcd 3.7 does with 1.5 MiB as --max-request-bytes, all values being as large as their mean.',
        ]
      : []),
    ...(bytesPerKey === undefined
      ? ['How large the objects are is not known, so that there are no bytes.']
      : [
          'Held is the largest reply and the objects selected, as they are stored; decoded they take more.',
        ]),
    ...(rows.some(({ isPartial }) => isPartial)
      ? [
          'Some of it takes more requests than are followed here: those figures are at least so high.',
        ]
      : []),
  ];
}

/** What a sample or a person tells of all keys holds for what is left of them only in part. */
function startWords(from: ListStart): string[] {
  if (from.kind !== 'tokenOf') return [];
  return [
    `The continue token of ${from.list} is known only once that has run: this is reckoned as if the list began at its first key. From the token on there are fewer keys.`,
  ];
}

function matchWords({ matches, source }: StoredKeys): string[] {
  switch (matches.kind) {
    case 'all':
      return [];
    case 'known':
      return [
        'Every object was read, so that it is known which match: the requests are exact while nothing is written.',
      ];
    case 'unknown':
      return ['How many objects match is not known: the figures reach from all of them to none.'];
    case 'share':
      return shareWords(matches, source);
  }
}

type Share = Extract<Matches, { kind: 'share' }>;

function shareWords({ share, clustered, counted }: Share, source: StoredKeys['source']): string[] {
  if (counted === true) {
    return share.likely >= 1 || share.likely <= 0
      ? []
      : [
          `${rateText(share.likely)} of all keys match. Where they stand is not known: they are taken as spread by chance, and side by side they may cost far less or far more.`,
        ];
  }
  if (clustered === true) {
    return [
      'Objects that match are taken to stand side by side: at best at the beginning, at worst at the end of the keys.',
    ];
  }
  if (source.kind === 'given') {
    return share.likely >= 1 || share.likely <= 0
      ? []
      : [
          `Objects that match are taken as evenly spread: the last key of each ${grouped(Math.round(1 / share.likely))}. Side by side they may cost far less or far more.`,
        ];
  }
  if (share.likely === 0) {
    return [
      `None of the sample matches. Some may all the same, and where they stand side by side a list may be full at once: up to ${rateText(share.high)} of all keys could.`,
    ];
  }
  const how =
    clustered === 'perhaps'
      ? ', in clumps, since the places of the sample differ much: at best all at the beginning, at worst at the end of the keys'
      : ', spread as by chance';
  return [
    `${rateText(share.likely)} match, by the sample ${rateText(share.low)} to ${rateText(share.high)} (95 of 100 such ranges hold the true figure)${how}. Matches that stand side by side where the sample did not look are not seen by it.`,
  ];
}

function sourceWords({ source, keys }: StoredKeys): string[] {
  if (source.kind === 'given') return [];
  const read = readWords(source, keys);
  if (source.kind === 'index') return [`${read} read before.`];
  const { cost, unreadable } = source;
  const took = `${countText(cost.requests, 'request')}, ${countText(cost.keys, 'key')}, ${bytesText(cost.bytes)}`;
  const left =
    unreadable === 0
      ? []
      : [
          `${grouped(unreadable)} of them cannot be read: a list that meets one fails, unless they are skipped.`,
        ];
  return [`${read} read for this: ${took}.`, ...left];
}

/** What was read of the keys, with the verb that goes with it. */
function readWords(
  { objects, places }: Exclude<StoredKeys['source'], { kind: 'given' }>,
  keys: number,
): string {
  if (keys === 0) return 'That there are no keys was';
  if (objects < keys) {
    const where = places === 1 ? 'from the first key on' : `at ${places} places`;
    return `${grouped(objects)} of ${grouped(keys)} keys, ${where}, were`;
  }
  return keys === 1 ? 'The one key was' : `All ${grouped(keys)} keys were`;
}
