export interface Module {
  readonly path: string;
  readonly version: string;
  /** Where its files lie; absent where it could not be had. */
  readonly folder?: string;
  /** Why there is no folder. */
  readonly why?: string;
}
export function pinnedModules(): Pick<Module, 'path' | 'version'>[];
export function getModules(): Module[];
