/** The settings that say which API server is asked about, and its gates. */
import {
  featureGates,
  kubernetesVersions,
  type FeatureGate,
  type FeatureGateSettings,
  type KubernetesVersionSetting,
} from '../../server/protocol/names';
import { plainText } from '../common/plainText';

type Report = (problem: string) => void;

const newest: KubernetesVersionSetting = '1.37';

export function checkVersion(value: unknown = newest, report: Report): KubernetesVersionSetting {
  const found = kubernetesVersions.find((version) => version === value);
  if (found === undefined) {
    report(
      `The setting etcdList.kubernetesVersion must be one of ${kubernetesVersions.join(', ')}, as a text; ${newest} is used.`,
    );
  }
  return found ?? newest;
}

/** Whether the version that is asked about has them the language server tells. */
export function checkGates(value: unknown = {}, report: Report): FeatureGateSettings {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report('The setting etcdList.featureGates must be an object; it is read as empty.');
    return {};
  }
  const gates: Partial<Record<FeatureGate, boolean>> = {};
  for (const [name, on] of Object.entries(value) as [string, unknown][]) {
    const gate = featureGates.find((known) => known === name);
    if (gate !== undefined && typeof on === 'boolean') gates[gate] = on;
    else {
      const why = gate === undefined ? 'lists hang on no such gate' : 'write true or false';
      report(`etcdList.featureGates: ${plainText(name)} is left out: ${why}.`);
    }
  }
  return gates;
}

/** One gate has a setting of its own, which holds where this one does not name it. */
export function streamGate(gates: FeatureGateSettings, rangeStream: boolean): boolean {
  return gates.EtcdRangeStream ?? rangeStream;
}
