import { useEffect, useState } from "react";
import { dataAddress } from "../files/data-address.ts";

/** The address at which a picture can be drawn; null until it is read, and for none. */
export function useFileAddress(file: File | null): string | null {
  const [read, setRead] = useState<{ file: File; address: string } | null>(null);
  useEffect(() => {
    if (!file) return;
    let isWanted = true;
    dataAddress(file).then(
      (address) => isWanted && setRead({ file, address }),
      // It is gone from the disk: that is said when it is sent.
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [file]);
  return read !== null && read.file === file ? read.address : null;
}
