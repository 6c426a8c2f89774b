/** Entry point for proofs and benchmarks: configuration, logs, queues and the broker. The service does not import this. */
export { type Config, readConfig } from '../config.ts';
export { type JobQueue, openJobQueue } from '../queue/job-queue.ts';
export { createLog } from '../log.ts';
export { Broker } from '../stream/broker.ts';
export { plainNats } from '../stream/nats-settings.ts';
export { plantInvitation, plantMail } from '../test/data/plant-invitation.ts';
export { testConfig } from '../test/apps/test-config.ts';
export { createSemaphore } from '../semaphore.ts';
