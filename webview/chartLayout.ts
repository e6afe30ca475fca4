/**
 * Where the bars of the round-trip chart stand. Slots only ever get narrower by halves and the scale
 * only grows in round steps, so that bars stay in place while a list runs.
 */
import type { RequestEntry } from '../server/protocol/model';
import { pageSize } from '../server/protocol/format';
import type { Run } from './run';

export type Trip = Pick<RequestEntry, 'keys' | 'matched' | 'limit'> & { readonly ended: boolean };

export interface Bar {
  readonly x: number;
  readonly width: number;
  /** Heights in pixels from the base line. */
  readonly keysHeight: number;
  readonly matchedHeight: number;
  /** Page size above the bar; empty where there is no room or nothing new to say. */
  readonly label: string;
  /** A reply is still coming. */
  readonly pending: boolean;
}

export interface ChartLayout {
  readonly bars: readonly Bar[];
  /** Round trips that one bar sums; 1 unless there are more trips than room. */
  readonly tripsPerBar: number;
  /** Keys at the top of the scale. */
  readonly top: number;
  /** How far the bars reach, in pixels: the axis ends there. */
  readonly extent: number;
}

const widestSlot = 96;
const narrowestSlot = 4;
/** A single key, and a single match among thousands, are still seen. */
const leastKeys = 5;
const leastMatched = 2;

interface Heights {
  readonly keysHeight: number;
  readonly matchedHeight: number;
}

/** However small, a bar is full only when every key matched, and empty only when none did. */
export function heights(keys: number, matched: number, pixelsPerKey: number): Heights {
  if (keys === 0) return { keysHeight: 0, matchedHeight: 0 };
  const keysHeight = Math.max(leastKeys, Math.round(keys * pixelsPerKey));
  if (matched === 0) return { keysHeight, matchedHeight: 0 };
  if (matched >= keys) return { keysHeight, matchedHeight: keysHeight };
  const height = Math.max(leastMatched, Math.round(matched * pixelsPerKey));
  return { keysHeight, matchedHeight: Math.min(height, keysHeight - leastMatched) };
}

/** Longest label at the chart's font, in pixels. */
const labelWidth = 28;

/** The next of 1, 2, 4, 8, 10, 20, 40, … that is not below `value`: pages grow by doubling. */
export function roundUp(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 4, 8, 10].find((candidate) => candidate * power >= value) ?? 10;
  return step * power;
}

/** Slot width, and trips that share one. */
export function slotsFor(trips: number, width: number): { slot: number; tripsPerBar: number } {
  let slot = widestSlot;
  while (slot * trips > width && slot > narrowestSlot) slot = Math.max(slot / 2, narrowestSlot);
  let tripsPerBar = 1;
  while (slot * Math.ceil(trips / tripsPerBar) > width && tripsPerBar < trips) tripsPerBar *= 2;
  return { slot, tripsPerBar };
}

interface Sum {
  readonly keys: number;
  readonly matched: number;
  readonly limit: number;
  readonly pending: boolean;
}

function sums(trips: readonly Trip[], perBar: number): Sum[] {
  const found: Sum[] = [];
  for (let at = 0; at < trips.length; at += perBar) {
    const part = trips.slice(at, at + perBar);
    found.push({
      keys: part.reduce((sum, trip) => sum + trip.keys, 0),
      matched: part.reduce((sum, trip) => sum + trip.matched, 0),
      limit: part[0]?.limit ?? 0,
      pending: part.some(({ ended }) => !ended),
    });
  }
  return found;
}

/** A label that reaches beyond its slot must have no taller bar there. */
function labelsOf(groups: readonly Sum[], slot: number, tripsPerBar: number): string[] {
  const reach = Math.ceil(labelWidth / slot);
  let free = 0;
  let last = '';
  return groups.map(({ keys, limit }, index) => {
    const text = tripsPerBar > 1 ? '' : pageSize(limit);
    const isBlocked = groups.slice(index + 1, index + reach).some((next) => next.keys > keys);
    if (text === '' || index < free || isBlocked) return '';
    if (text === last && slot < widestSlot) return '';
    last = text;
    free = index + reach;
    return text;
  });
}

/** Round trips of a run of the history that did not keep all of them; null where all are there. */
export function tripsMade({
  past,
  total,
  requests,
}: Pick<Run, 'past' | 'total' | 'requests'>): number | null {
  return past && total && total.requests > requests.length ? total.requests : null;
}

/**
 * @param height Of the bars' area, in pixels.
 * @param atLeast Keys that the scale has room for at least, so that several pictures have the same.
 */
export function layoutChart(
  trips: readonly Trip[],
  width: number,
  height: number,
  atLeast = 1,
): ChartLayout {
  const { slot, tripsPerBar } = slotsFor(trips.length, Math.max(width, narrowestSlot));
  const groups = sums(trips, tripsPerBar);
  const top = roundUp(Math.max(atLeast, ...groups.map(({ keys }) => keys)));
  const gap = slot >= 12 ? Math.round(slot / 4) : 1;
  const labels = labelsOf(groups, slot, tripsPerBar);
  const bars = groups.map((group, index): Bar => ({
    x: index * slot,
    width: slot - gap,
    ...heights(group.keys, group.matched, height / top),
    label: labels[index] ?? '',
    pending: group.pending,
  }));
  return { bars, tripsPerBar, top, extent: slot * Math.max(1, bars.length) - gap };
}
