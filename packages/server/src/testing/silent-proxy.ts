/** Entry point for proofs: a host that disappears without a reset. The service does not import this. */
export { type SilentProxy, startSilentProxy } from '../test/silent-proxy.ts';
