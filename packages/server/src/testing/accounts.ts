/** Entry point for proofs and benchmarks: creating accounts, keys and users. The service does not import this. */
export { createAccount } from '../services/accounts/create-account.ts';
export { updateAccount } from '../services/accounts/update-account.ts';
export { createApiKey } from '../services/api-keys/create-api-key.ts';
export { configureApp } from '../services/providers/configure-app.ts';
export { insertUser, selectDetail } from '../store/users/users.ts';
