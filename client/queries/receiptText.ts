/** What a run cost, in one line. */
import type { TotalEntry } from '../../server/protocol/model';
import { counted, duration, thousands, timeOfDay } from '../../server/protocol/format';
import { plainText } from '../common/plainText';
import type { LastRun } from './lastRuns';

/** `now` tells whether the day has to be named; both in milliseconds since 1970. */
export function receiptText({ at, total, failure }: LastRun, now: number): string {
  const when = timeText(at, now);
  const cost = total === undefined ? [] : [countsText(total), costText(total)];
  if (failure === undefined) return joined([...cost, when]);
  if (failure.code === 'cancelled') return joined(['Stopped', ...cost, when]);
  return joined([`Failed: ${plainText(failure.sentence)}`, when]);
}

export function countsText({ fetched, evaluated, returned }: TotalEntry): string {
  return `${thousands(fetched)} fetched → ${thousands(evaluated)} evaluated → ${thousands(returned)} returned`;
}

export function costText({ requests, durationMs }: TotalEntry): string {
  return joined([counted(requests, 'round trip'), duration(durationMs)]);
}

export function timeText(at: number, now: number): string {
  const date = new Date(at);
  const two = (part: number): string => String(part).padStart(2, '0');
  const time = timeOfDay(at);
  if (date.toDateString() === new Date(now).toDateString()) return time;
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`;
}

export function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}
