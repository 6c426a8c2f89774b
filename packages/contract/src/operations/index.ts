export * from './users.ts';
export * from './auth.ts';
export * from './sdk.ts';
export * from './sdk-batches.ts';
export * from './service.ts';
