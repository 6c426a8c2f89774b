import { spawn } from 'node:child_process';

// Reads which processes run and what to remove. Its input ends when the stack does, for any reason.
const SCRIPT = `
running=; remove=
while read -r verb value; do
  case $verb in
    watch) running="$running $value" ;;
    forget) kept=; for item in $running; do [ "$item" = "$value" ] || kept="$kept $item"; done; running=$kept ;;
    remove) remove=$value ;;
    keep) remove= ;;
  esac
done
for item in $running; do
  kill -s CONT "\${item#*:}" 2>/dev/null; kill -s "\${item%%:*}" "\${item#*:}" 2>/dev/null
done
tries=0
while [ $tries -lt 50 ]; do
  alive=; for item in $running; do kill -0 "\${item#*:}" 2>/dev/null && alive=1; done
  [ -n "$alive" ] || break
  sleep 0.1; tries=$((tries + 1))
done
for item in $running; do kill -s KILL -- "-\${item#*:}" 2>/dev/null; done
[ -z "$remove" ] || rm -rf -- "$remove"
`;

/** A small process that cleans up after a stack that was killed. */
export interface Guard {
  readonly pid: number | undefined;
  /** Sends this signal to the process if the stack disappears. */
  watch(pid: number, signal: NodeJS.Signals): void;
  forget(pid: number, signal: NodeJS.Signals): void;
  /** Removes this path if the stack disappears. Null keeps everything. */
  removeAtEnd(path: string | null): void;
  [Symbol.asyncDispose](): Promise<void>;
}

export function startGuard(): Guard {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'tributary-stack-guard'], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  // The stack works without its guard, so a dead guard is no reason to stop.
  child.stdin.on('error', () => {});
  const sendLine = (line: string): void => void child.stdin.write(`${line}\n`);

  return {
    pid: child.pid,
    watch: (pid, signal) => sendLine(`watch ${signal.slice(3)}:${pid}`),
    forget: (pid, signal) => sendLine(`forget ${signal.slice(3)}:${pid}`),
    removeAtEnd: (path) => sendLine(path === null ? 'keep' : `remove ${path}`),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await exited;
    },
  };
}
