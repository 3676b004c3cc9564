export function isFromWeir(headers: Record<string, string>, text: string, key: string, nowSeconds?: number): boolean;
