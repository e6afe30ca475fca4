/** What of two outcomes is not compared. */
import { causeLine, type Outcome } from './outcome';

/** Stands for the wording; what upstream's storage says around it stays. */
const unclaimed = (text: string): string =>
  text.replace(/^([^]*? revision=\d+: )?[^]*?( \(and \d+ more\))?$/, '$1…$2');

function masked(outcome: Outcome, foreign: ReadonlySet<string>): Outcome {
  const { error, failures } = outcome;
  const [first] = failures;
  if (error === null || first === undefined) return outcome;
  const causes = error.causes.map((cause) => {
    const [type = '', field = ''] = cause.split('|', 2);
    if (!foreign.has(field)) return cause;
    return causeLine(type, field, unclaimed(cause.slice(type.length + field.length + 2)));
  });
  const message = foreign.has(first) ? unclaimed(error.message) : error.message;
  return { ...outcome, error: { ...error, causes, message } };
}

/**
 * Takes the wording of foreign values out of both sides, which must have failed at the same keys:
 * where they did not, every text stays to be seen.
 */
export function withoutForeignTexts(
  ours: Outcome,
  theirs: Outcome,
  foreign: ReadonlySet<string>,
): { readonly ours: Outcome; readonly theirs: Outcome } {
  if (JSON.stringify(ours.failures) !== JSON.stringify(theirs.failures)) return { ours, theirs };
  return { ours: masked(ours, foreign), theirs: masked(theirs, foreign) };
}
