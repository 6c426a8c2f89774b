/** Entry point for proofs and benchmarks: sealing and parsing tokens, keys, cursors and payloads. The service does not import this. */
export { sealCursor } from '../credentials/cursor.ts';
export { type Keyring, createKeyring } from '../credentials/keyring.ts';
export { sealSdkToken } from '../credentials/sdk-token.ts';
export { createSecretToken, hashSecret } from '../credentials/secret-token.ts';
export { RawPayloads } from '../services/raw-payloads/raw-payloads.ts';
export { sealTokens } from '../services/connections/seal-tokens.ts';
