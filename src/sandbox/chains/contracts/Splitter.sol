// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// Pays several receivers in one transaction: all of them, or none. The contract keeps no money.
contract Splitter {
    error DifferentLengths(uint256 receivers, uint256 amounts);
    error WrongSum(uint256 sum, uint256 value);
    error NotPaid(address receiver);

    /// Transfers tokens of the caller: to each receiver exactly its amount.
    function splitToken(address token, address[] calldata receivers, uint256[] calldata amounts) external {
        if (receivers.length != amounts.length) revert DifferentLengths(receivers.length, amounts.length);
        for (uint256 i = 0; i < receivers.length; ++i) {
            if (!IERC20(token).transferFrom(msg.sender, receivers[i], amounts[i])) revert NotPaid(receivers[i]);
        }
    }

    /// Sends native coin to the receivers. The value of the transaction must be the sum of the amounts.
    function splitNative(address[] calldata receivers, uint256[] calldata amounts) external payable {
        if (receivers.length != amounts.length) revert DifferentLengths(receivers.length, amounts.length);
        uint256 sum = 0;
        for (uint256 i = 0; i < amounts.length; ++i) sum += amounts[i];
        if (sum != msg.value) revert WrongSum(sum, msg.value);
        for (uint256 i = 0; i < receivers.length; ++i) {
            (bool paid, ) = receivers[i].call{value: amounts[i]}("");
            if (!paid) revert NotPaid(receivers[i]);
        }
    }
}
