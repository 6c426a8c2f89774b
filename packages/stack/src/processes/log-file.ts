import { mkdirSync, openSync, closeSync, fstatSync, readSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const TAIL_BYTES = 16 * 1024;

function logFolder(dir: string): string {
  return join(dir, 'logs');
}

/** Starts an empty log folder and keeps the previous one. */
export function rotateLogs(dir: string): void {
  const folder = logFolder(dir);
  const previous = `${folder}.previous`;
  rmSync(previous, { recursive: true, force: true });
  try {
    renameSync(folder, previous);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

export interface LogPosition {
  file: string;
  offset: number;
}

export function openLog(dir: string, name: string): LogPosition & { fd: number } {
  const file = join(logFolder(dir), `${name}.log`);
  const fd = openSync(file, 'a', 0o600);
  return { file, fd, offset: fstatSync(fd).size };
}

/** The last lines written since a position. */
export function tailLog({ file, offset }: LogPosition, lineCount = 15): string {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    return '';
  }
  try {
    const size = fstatSync(fd).size;
    const start = Math.max(offset, size - TAIL_BYTES);
    const buffer = Buffer.alloc(Math.max(0, size - start));
    readSync(fd, buffer, 0, buffer.length, start);
    return buffer.toString('utf8').trimEnd().split('\n').slice(-lineCount).join('\n');
  } finally {
    closeSync(fd);
  }
}
