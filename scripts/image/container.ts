/**
 * Runs the `tributary` command in a container of the image named by TRIBUTARY_IMAGE, with the arguments and the environment of this process. The
 * container shares the network of the machine. Its root file system is read-only, and it has no capabilities. A stack started with STACK_PROGRAM set to
 * this file runs the image instead of the source.
 */
import { podman, podmanOptions } from './podman.ts';

const image = process.env['TRIBUTARY_IMAGE'];
if (!image) throw new Error('Set TRIBUTARY_IMAGE to the name of an image.');
// cSpell:ignore LOGNAME OLDPWD SHLVL execve
/** Variables about this machine, which mean nothing in the container. */
const ofThisMachine =
  /^(?:PATH|HOME|PWD|OLDPWD|SHLVL|_|USER|LOGNAME|SHELL|TERM|TMPDIR|LANG|HOSTNAME|TRIBUTARY_IMAGE|NODE_(?!NAME|NO_WARNINGS).*|npm_.*|INIT_CWD|VITEST.*|STACK_.*|SSL_.*|CI.*)$/i;
const variables = Object.keys(process.env).filter((name) => !ofThisMachine.test(name));
const args = [
  ...podmanOptions,
  'run',
  '--rm',
  '--label=tributary-check',
  '--network=host',
  '--read-only',
  '--read-only-tmpfs=false',
  '--cap-drop=all',
  '--security-opt=no-new-privileges',
  '--no-healthcheck',
  ...variables.map((name) => `--env=${name}`),
  image,
  ...process.argv.slice(2),
];
// Podman passes signals on to the container, and this process becomes Podman.
process.execve!(podman, [podman, ...args], process.env);
