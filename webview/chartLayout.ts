/**
 * Where the bars of the round-trip chart stand. Slots only ever get narrower by halves and the scale
 * only grows in round steps, so that bars stay in place while a list runs.
 */
import type { RequestEntry } from '../server/protocol/model';
import { pageSize } from './format';

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
}

const widestSlot = 48;
const narrowestSlot = 4;
/** Characters of a label at the chart's font, in pixels. */
const labelWidth = 28;

/** The next of 1, 2, 5, 10, 20, 50, … that is not below `value`. */
export function roundUp(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((candidate) => candidate * power >= value) ?? 10;
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

/** @param height Of the bars' area, in pixels. */
export function layoutChart(trips: readonly Trip[], width: number, height: number): ChartLayout {
  const { slot, tripsPerBar } = slotsFor(trips.length, Math.max(width, narrowestSlot));
  const groups = sums(trips, tripsPerBar);
  const top = roundUp(Math.max(1, ...groups.map(({ keys }) => keys)));
  const scaled = (count: number): number =>
    count === 0 ? 0 : Math.max(1, Math.round((count / top) * height));
  const gap = slot >= 12 ? Math.round(slot / 4) : 1;
  let labelledUntil = -Infinity;
  let lastLabel = '';
  const bars = groups.map((group, index): Bar => {
    const x = index * slot;
    const text = tripsPerBar > 1 ? '' : pageSize(group.limit);
    const hasRoom = x >= labelledUntil;
    const label = hasRoom && (text !== lastLabel || slot === widestSlot) ? text : '';
    if (label !== '') {
      lastLabel = label;
      labelledUntil = x + labelWidth;
    }
    return {
      x,
      width: slot - gap,
      keysHeight: scaled(group.keys),
      matchedHeight: scaled(Math.min(group.matched, group.keys)),
      label,
      pending: group.pending,
    };
  });
  return { bars, tripsPerBar, top };
}
