import { tellError } from './toast.js';

/** Saves a text as a file of the viewer. */
export async function save(name: string, read: () => Promise<string>): Promise<void> {
  try {
    const url = URL.createObjectURL(new Blob([await read()]));
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    URL.revokeObjectURL(url);
  } catch (error) {
    tellError(error);
  }
}
