import { expect, it, vi } from 'vitest';
import { completesBySchema } from '../../../../client/language/schemaCompletion';

interface Inspected {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
}

const vscode = vi.hoisted(() => ({
  schemas: undefined as Inspected | undefined,
  completion: undefined,
}));

vi.mock('vscode', () => ({
  workspace: {
    getConfiguration: () => ({
      inspect: () => vscode.schemas,
      get: () => vscode.completion,
    }),
  },
}));

it.each<[string, Inspected | undefined, unknown, boolean]>([
  ['nobody else has the setting', undefined, undefined, false],
  ['a person wrote it for an extension that is not there', { globalValue: {} }, true, false],
  ['an extension has it', { defaultValue: {} }, true, true],
  ['an extension has it, and nothing of completion', { defaultValue: {} }, undefined, true],
  ['its completion is off', { defaultValue: {}, globalValue: {} }, false, false],
])('is told by the settings: %s', (_, schemas, completion, expected) => {
  Object.assign(vscode, { schemas, completion });
  expect(completesBySchema()).toBe(expected);
});
