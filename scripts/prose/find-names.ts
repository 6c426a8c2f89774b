import { parseSync, Visitor } from 'oxc-parser';
import { participles } from './terms.ts';

/** Lists declared names that are a participle: variables, parameters, functions and destructured properties without a new name. */
export function findParticiples(file: string, source: string): { name: string; offset: number }[] {
  const names: { name: string; offset: number }[] = [];
  const bind = (pattern: unknown): void => {
    const node = pattern as Record<string, unknown> & { type: string; start: number };
    if (!node) return;
    if (node.type === 'Identifier') {
      if (participles.has(node['name'] as string))
        names.push({ name: node['name'] as string, offset: node.start });
    } else if (node.type === 'ObjectPattern') {
      for (const property of node['properties'] as Record<string, unknown>[])
        bind(property['value'] ?? property['argument']);
    } else if (node.type === 'ArrayPattern') {
      for (const element of node['elements'] as unknown[]) bind(element);
    } else if (node.type === 'AssignmentPattern') bind(node['left']);
    else if (node.type === 'RestElement') bind(node['argument']);
  };
  new Visitor({
    VariableDeclarator: ({ id }) => bind(id),
    FunctionDeclaration: ({ id, params }) => [id, ...params].forEach(bind),
    FunctionExpression: ({ params }) => params.forEach(bind),
    ArrowFunctionExpression: ({ params }) => params.forEach(bind),
    CatchClause: ({ param }) => bind(param),
  }).visit(parseSync(file, source).program);
  return names;
}
