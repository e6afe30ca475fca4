/** The product's version, from the manifest that ships two levels above the bundle. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function productVersion(bundleDir: string): string {
  try {
    const text = readFileSync(join(bundleDir, '..', '..', 'package.json'), 'utf8');
    const manifest: unknown = JSON.parse(text);
    const version = (manifest as { version?: unknown } | null)?.version;
    return typeof version === 'string' ? version : 'unknown';
  } catch {
    return 'unknown';
  }
}
