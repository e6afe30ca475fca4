/** The functions of each checked version. */
import type { Preset } from './preset';
import { v1_30 } from './v1_30';
import { v1_31 } from './v1_31';
import { v1_33, v1_34 } from './v1_33';
import { v1_37 } from './v1_37';
import type { KubernetesVersion } from './version';

const PRESETS: Readonly<Record<KubernetesVersion, Preset>> = {
  '1.30': v1_30,
  '1.31': v1_31,
  '1.32': v1_31,
  '1.33': v1_33,
  '1.34': v1_34,
  '1.35': v1_34,
  '1.36': v1_34,
  '1.37': v1_37,
};

export const presetOf = (version: KubernetesVersion): Preset => PRESETS[version];
