// Runs once before the tests that need the oracle.
import { getOracle } from './binary.mjs';

export default function setup() {
  getOracle();
}
