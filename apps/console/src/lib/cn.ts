import { type ClassValue, clsx } from 'clsx';
import { twMerge } from 'tailwind-merge';

/** Joins class names. If two set the same property, the last one wins. */
export const cn = (...classes: ClassValue[]): string => twMerge(clsx(classes));
