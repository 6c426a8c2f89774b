/** Checks large uploads in a thread of its own, one after another. */
import { parentPort } from 'node:worker_threads';
import { ApiError } from '@tributary/contract';
import { lowerPriority } from '../../lower-priority.ts';
import { checkUpload } from './check-upload.ts';
import type { CheckReply, CheckRequest } from './upload-checks.ts';

lowerPriority();
const port = parentPort!;
port.on('message', ({ body, encoding }: CheckRequest) => port.postMessage(check(body, encoding), []));

function check(body: Uint8Array, encoding: string | undefined): CheckReply {
  try {
    return { upload: checkUpload(body, encoding) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error; // ends the thread
    const { code, message, details } = error;
    return { problem: { code, message, details } };
  }
}
