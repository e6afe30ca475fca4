export interface Module {
  readonly path: string;
  readonly version: string;
  /** Where its files lie; absent where it could not be had. */
  readonly folder?: string;
  /** Why there is no folder. */
  readonly why?: string;
}
type Pinned = Pick<Module, 'path' | 'version'>;
export function pinnedModules(): Pinned[];
/** Of these, or of all. */
export function getModules(modules?: readonly Pinned[]): Module[];
