/** Whether another extension completes YAML by the schemas that extensions contribute, as ours of query documents is. */
import { workspace } from 'vscode';

/** The settings of Red Hat's YAML extension, which those that took its place share. */
export const schemaSetting = 'yaml';

export function completesBySchema(): boolean {
  const yaml = workspace.getConfiguration(schemaSetting);
  // A setting has a default value where an extension that has it is installed and enabled.
  const isThere = yaml.inspect('schemas')?.defaultValue !== undefined;
  return isThere && yaml.get<unknown>('completion') !== false;
}
