/** Parses the selectors of the command line; a malformed one is wrong usage with its place. */
import {
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
  type FieldSelector,
  type FieldTransform,
  type LabelSelector,
} from '../kube/selectors';
import { caretLines, placeText } from './caret';
import { usageError, type CliError } from './exit';

export function labelSelector(text: string): LabelSelector | undefined {
  if (text === '') return undefined;
  return located('--selector', text, () => parseLabelSelector(text));
}

export function fieldSelector(text: string, transform: FieldTransform): FieldSelector | undefined {
  if (text === '') return undefined;
  return located('--field-selector', text, () => parseFieldSelector(text, transform));
}

function located<T>(flag: string, text: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SelectorError) throw selectorUsage(flag, text, error);
    throw error;
  }
}

function selectorUsage(flag: string, text: string, error: SelectorError): CliError {
  const place = placeText(text, error.span);
  const lines = caretLines(text, error.span);
  return usageError([`${flag} is refused at ${place}: ${error.message}`, ...lines].join('\n'), {
    cause: error,
  });
}
