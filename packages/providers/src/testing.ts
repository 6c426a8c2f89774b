/** Provider access to the lab without the service, for proofs. */
export { openIntake, waitForPushes } from './garmin/test-intake.ts';
export { appInLab, connectInLab, openAppApi, readAll, startTestLab } from './test/lab-api.ts';
