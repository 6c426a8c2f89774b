/** Attacks from a thread of its own, so that measurements of other requests do not include its work. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { anonymousAttacks, heldUpload } from './attacks.ts';
import { HostileSocket } from './hostile-socket.ts';

/** How to attack: the addresses are 127.0.0.2 and those that follow. */
export interface AttackPlan {
  port: number;
  publicUrl: string;
  addresses: number;
  sockets: number;
  /** Valid SDK tokens of a hostile tenant. Each holds uploads open. */
  tokens: readonly string[];
  uploadsPerToken: number;
  attackMs: number;
}

const stepsPerSecond = 20;
const joiningShare = 0.3;

const plan = workerData as AttackPlan;
const statuses: Record<number, number> = {};
const anonymous = anonymousAttacks(plan.publicUrl);
const uploads = plan.tokens.flatMap((token) =>
  Array.from({ length: plan.uploadsPerToken }, () => heldUpload(token)),
);
const attacks = [
  ...Array.from({ length: plan.sockets - uploads.length }, (_, at) => anonymous[at % anonymous.length]!),
  ...uploads,
];
const sockets = attacks.map(
  (attack, at) =>
    new HostileSocket(plan.port, `127.0.0.${2 + (at % plan.addresses)}`, attack, (status) => {
      statuses[status] = (statuses[status] ?? 0) + 1;
    }),
);

// Each socket has its step once a second, at different times. New ones join during the first part of the attack.
const startedAt = performance.now();
for (let step = 0, passedMs = 0; passedMs < plan.attackMs; step += 1) {
  const joined = Math.min(sockets.length, (sockets.length * passedMs) / (plan.attackMs * joiningShare));
  for (let at = step % stepsPerSecond; at < joined; at += stepsPerSecond) sockets[at]!.step();
  await sleep(1_000 / stepsPerSecond);
  passedMs = performance.now() - startedAt;
}
for (const socket of sockets) socket.close();
parentPort!.postMessage(statuses, []);
