export interface FoundYamlServer {
  /** The Node.js that it runs on. */
  readonly node: string;
  readonly entry: string;
  /** The folder that has `all.json` and `_definitions.json`. */
  readonly schemas: string;
}
export const yamlServerVersion: string;
export const nodeVersion: string | undefined;
export const kubernetes: { readonly path: string; readonly version: string };
export function findYamlServer(): FoundYamlServer | undefined;
