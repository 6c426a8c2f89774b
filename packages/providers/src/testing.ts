/** Provider access to the lab without the service, for proofs. */
export { appInLab, openAppApi } from './test/lab-api.ts';
