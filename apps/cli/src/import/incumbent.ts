import type { Import } from './import.js';
import type { ProjectFiles } from './project-files.js';
import { importProject } from './project-resources.js';
import { importWorkspace } from './workspace-config.js';

interface Inputs {
  /** The workspace export. */
  workspace?: unknown;
  files?: ProjectFiles | undefined;
}

/**
 * Reads the workspace export, the project files, or both. Variables of the files keep their names, so they come first: a secret of
 * the export takes another name then. Resources of the export come next, because they count.
 */
export async function importIncumbent({ workspace, files }: Inputs, into: Import): Promise<void> {
  if (files !== undefined) addVariables(files, into);
  if (workspace !== undefined) await importWorkspace(workspace, into);
  if (files !== undefined) importProject(files, into);
}

function addVariables({ variables, contested }: ProjectFiles, into: Import): void {
  Object.assign(into.env, variables);
  for (const name of Object.keys(variables)) into.project.variables[name] = 'a variable of the project files';
  for (const name of contested)
    into.losses.push({
      what: `variable "${name}"`,
      events:
        'Files of variables differ in its value, and that of the last one is used. Leave the files of one environment in the folder',
    });
}
