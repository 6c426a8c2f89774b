#!/usr/bin/env node
// The other commands take a second to load, and a container checks its health every few seconds.
if (process.argv[2] === 'health') {
  const { checkHealth } = await import('./cli/health.ts');
  await checkHealth();
} else {
  const { createProgram } = await import('./cli/program.ts');
  await createProgram().parseAsync();
}
