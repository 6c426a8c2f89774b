export type { UnexpectedExit } from './processes/child.ts';
export type { Engine, ResettableEngine } from './engines/engine.ts';
export {
  startEngines,
  type Engines,
  type RunningEngines,
  type StartEnginesOptions,
} from './engines/engines.ts';
export { StackError } from './errors.ts';
export type { CaughtMail } from './mail/caught-mail.ts';
export { startMailCatcher, type MailCatcher, type MailCatcherOptions } from './mail/inbox.ts';
export type { Role, StackNode } from './service/nodes.ts';
export type { EnginePorts } from './ports/port-plan.ts';
export { freePort } from './ports/ports.ts';
export type { Progress } from './cli/progress.ts';
export type { StackInfo } from './service/stack-info.ts';
export { startStack, type Stack, type StartStackOptions } from './stack.ts';
export { ensureTemplate } from './engines/template.ts';
